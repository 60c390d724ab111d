"""A player's own name and results (R10, R5.5)."""

from dataclasses import replace

from wordle_tournament.ports import messages
from wordle_tournament.ports.store import save
from wordle_tournament.rules import views
from wordle_tournament.rules.ids import TournamentId
from wordle_tournament.rules.nicknames import check_nickname
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.refusals import Code, Refusal
from wordle_tournament.usecases.delivery import answer, reply
from wordle_tournament.usecases.game import Game, Sender, insist
from wordle_tournament.usecases.group_news import tell_groups
from wordle_tournament.usecases.presence import attend

HEAVIEST_PAGE = 180
"""What fits into a frame of history, in rows of a board: one tournament is never more than 169."""


def ping(game: Game, sender: Sender) -> None:
    """Answer with the server's time."""
    reply(game, sender, messages.Pong(game.clock.now()))


def rename(game: Game, sender: Sender, *, nickname: str) -> None:
    """Change the sender's nickname (R10.1, R10.2); raises Refusal."""
    chosen = check_nickname(nickname)
    if game.insults.are_in(chosen):
        raise Refusal(Code.BAD_NICKNAME, "A nickname insults nobody.")

    def attempt() -> Player:
        player = attend(game, sender)
        renamed = replace(player, nickname=chosen)
        if renamed != player:
            game.store.commit(save(renamed, player))
        return renamed

    renamed = insist(game, attempt)
    answer(game, sender, messages.Profile(views.view_profile(renamed)))
    tell_groups(game, [renamed])


def show_history(game: Game, sender: Sender, *, before: TournamentId | None, limit: int) -> None:
    """Answer with at most `limit` finished tournaments, newest first, older than `before`.

    There are fewer, but at least one, when their duels would not fit into a frame. The cursor
    is the last tournament shown: newer ones that come meanwhile do not move it.
    """
    results = game.store.results(sender.player, before=before, limit=limit + 1)
    page: list[views.ResultView] = []
    room = HEAVIEST_PAGE
    for result in results[:limit]:
        duels = game.store.played(result.tournament, sender.player)
        shown = views.view_result(result, duels)
        room -= shown.weight
        if page and room < 0:
            break
        page.append(shown)
    cursor = page[-1].tournament_id if len(results) > len(page) else None
    reply(game, sender, messages.History(tuple(page), cursor))
