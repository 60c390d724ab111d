"""What players may see of the things of the game; no view holds a running duel's word (R3.10)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from wordle_tournament.rules import languages
from wordle_tournament.rules.duel import Duel, Ending, Outcome
from wordle_tournament.rules.group import Group
from wordle_tournament.rules.ids import DuelId, GroupCode, LobbyId, PlayerId, TournamentId
from wordle_tournament.rules.immutable import immutable
from wordle_tournament.rules.leaderboard import Leader
from wordle_tournament.rules.lobby import RATING_WINDOW, SEATS, Lobby
from wordle_tournament.rules.pairing import Pairing
from wordle_tournament.rules.player import Player
from wordle_tournament.rules.result import Result
from wordle_tournament.rules.tournament import Entrant, Phase, Tournament, duel_id
from wordle_tournament.rules.words import Mark, score_guess


@immutable
class PlayerView:
    """A player as others see them (R10.1)."""

    player_id: PlayerId
    nickname: str


@immutable
class ProfileView:
    """A player as they see themselves."""

    player_id: PlayerId
    nickname: str
    rating: int
    games: int


@immutable
class LanguageView:
    """How a language is typed: its letters and the rows of its keyboard, as displayed."""

    code: str
    name: str
    endonym: str
    letters: tuple[str, ...]
    keyboard: tuple[tuple[str, ...], ...]


@immutable
class LobbyView:
    """A lobby: it waits for `seats` players rated at most `rating_window` from `rating` (R6)."""

    lobby_id: LobbyId
    version: int
    language: str
    rating: int
    rating_window: int
    seats: int
    players: tuple[PlayerView, ...]
    alphabet: LanguageView


@immutable
class MemberView:
    """A member of a group; `playing` until their place is fixed (R8.4)."""

    player_id: PlayerId
    nickname: str
    connected: bool
    playing: bool


@immutable
class GroupView:
    """A group as its members see it."""

    code: GroupCode
    invite_url: str
    version: int
    language: str
    leader: PlayerId
    members: tuple[MemberView, ...]


@immutable
class EntrantView:
    """A player of a tournament; `rating` is the one at its start (R5.4)."""

    player_id: PlayerId
    nickname: str
    rating: int
    lives: int
    connected: bool
    left: bool
    back_by: datetime | None
    place: int | None
    rating_change: int | None


@immutable
class PairView:
    """Who meets in a duel; the first begins."""

    duel_id: DuelId
    players: tuple[PlayerId, PlayerId]


@immutable
class TournamentView:
    """A tournament with its round: pairings, bye and the end of the intro."""

    tournament_id: TournamentId
    version: int
    language: str
    round: int
    phase: Phase
    players: tuple[EntrantView, ...]
    pairings: tuple[PairView, ...]
    bye: PlayerId | None
    intro_ends_at: datetime | None
    watching: bool | None = None


@immutable
class StandingView:
    """A player after a round; `rating` is the new one, once the place is fixed (R4.1, R5.5)."""

    player_id: PlayerId
    lives: int
    place: int | None
    rating_change: int | None
    rating: int | None


@immutable
class TurnView:
    """A turn that is being played."""

    turn: int
    player_id: PlayerId
    deadline: datetime


@immutable
class RowView:
    """A row of the board; a skipped one has no word."""

    turn: int
    player_id: PlayerId
    skipped: bool
    word: str | None = None
    letters: tuple[str, ...] | None = None
    marks: tuple[Mark, ...] | None = None
    received_at: datetime | None = None


@immutable
class EndingView:
    """How a duel ended, and its word (R3.10)."""

    outcome: Outcome
    winner: PlayerId | None
    word: str
    letters: tuple[str, ...]


@immutable
class DuelView:
    """A duel as everybody sees it who sees it."""

    duel_id: DuelId
    tournament_id: TournamentId
    version: int
    round: int
    language: str
    length: int
    players: tuple[PlayerId, PlayerId]
    turn: int | None
    player_id: PlayerId | None
    deadline: datetime | None
    rows: tuple[RowView, ...]
    ended: EndingView | None


@immutable
class ReplayRowView:
    """A row of a duel that is over; a skipped one has only a player."""

    player_id: PlayerId
    word: str | None = None
    letters: tuple[str, ...] | None = None
    marks: tuple[Mark, ...] | None = None


@immutable
class ReplayView:
    """A duel that is over, turn by turn."""

    duel_id: DuelId
    round: int
    players: tuple[PlayerId, PlayerId]
    outcome: Outcome
    winner: PlayerId | None
    word: str
    letters: tuple[str, ...]
    rows: tuple[ReplayRowView, ...]


@immutable
class ResultView:
    """A finished tournament in a player's history; `rating` is the one after it.

    `duels` are those that the player played, as long as duels are kept.
    """

    tournament_id: TournamentId
    ended_at: datetime
    language: str
    rounds: int
    place: int
    rating_change: int
    rating: int
    duels: tuple[ReplayView, ...] = ()

    @property
    def weight(self) -> int:
        """How much room this takes in a frame, in rows of a board."""
        return 1 + sum(2 + len(duel.rows) for duel in self.duels)


@immutable
class RankView:
    """A player on the leaderboard; equal ratings share a `rank`."""

    rank: int
    player_id: PlayerId
    nickname: str
    rating: int
    games: int


def view_player(player: Player) -> PlayerView:
    """Show a player to others."""
    return PlayerView(player.id, player.nickname)


def view_profile(player: Player) -> ProfileView:
    """Show a player to themselves."""
    return ProfileView(player.id, player.nickname, player.rating, player.games)


def view_language(code: str) -> LanguageView:
    """Show how a language is typed (R9.1)."""
    language = languages.LANGUAGES[code]
    return LanguageView(
        code=language.code,
        name=language.name,
        endonym=language.endonym,
        letters=languages.letters(language, "".join(language.alphabet)),
        keyboard=language.keyboard,
    )


def view_lobby(lobby: Lobby, language: str, players: Mapping[PlayerId, Player]) -> LobbyView:
    """Show a lobby; `players` holds those seated."""
    return LobbyView(
        lobby_id=lobby.id,
        version=lobby.version,
        language=language,
        rating=lobby.rating,
        rating_window=RATING_WINDOW,
        seats=SEATS,
        players=tuple(view_player(players[one]) for one in lobby.players if one in players),
        alphabet=view_language(language),
    )


def view_group(group: Group, players: Mapping[PlayerId, Player], invite_base_url: str) -> GroupView:
    """Show a group; `players` holds its members."""
    return GroupView(
        code=group.code,
        invite_url=f"{invite_base_url}{group.code}",
        version=group.version,
        language=group.language,
        leader=group.leader,
        members=tuple(
            MemberView(
                player_id=member,
                nickname=players[member].nickname,
                connected=players[member].connection is not None,
                playing=players[member].playing,
            )
            for member in group.members
            if member in players
        ),
    )


def view_entrant(entrant: Entrant) -> EntrantView:
    """Show a player of a tournament."""
    return EntrantView(
        player_id=entrant.player,
        nickname=entrant.nickname,
        rating=entrant.rating,
        lives=entrant.lives,
        connected=entrant.back_by is None and not entrant.left,
        left=entrant.left,
        back_by=entrant.back_by,
        place=entrant.place,
        rating_change=entrant.change,
    )


def view_tournament(tournament: Tournament, viewer: PlayerId | None = None) -> TournamentView:
    """Show a tournament; to one `viewer` also whether they are watching."""
    return TournamentView(
        tournament_id=tournament.id,
        version=tournament.version,
        language=tournament.language,
        round=tournament.round,
        phase=tournament.phase,
        players=tuple(map(view_entrant, tournament.entrants)),
        pairings=view_pairings(tournament.id, tournament.round, tournament.pairing),
        bye=tournament.pairing.bye,
        intro_ends_at=tournament.intro_ends_at,
        watching=None if viewer is None else viewer in tournament.watchers,
    )


def view_pairings(
    tournament: TournamentId, round_number: int, pairing: Pairing
) -> tuple[PairView, ...]:
    """Show who meets whom in a round."""
    return tuple(
        PairView(duel_id(tournament, round_number, number), players)
        for number, players in enumerate(pairing.duels)
    )


def view_standing(entrant: Entrant) -> StandingView:
    """Show how a player stands after a round."""
    return StandingView(
        player_id=entrant.player,
        lives=entrant.lives,
        place=entrant.place,
        rating_change=entrant.change,
        rating=entrant.rating_after,
    )


def view_result(result: Result, duels: Iterable[Duel]) -> ResultView:
    """Show an entry of the journal to its player, with the duels they played."""
    return ResultView(
        tournament_id=result.tournament,
        ended_at=result.placed_at,
        language=result.language,
        rounds=result.rounds,
        place=result.place,
        rating_change=result.change,
        rating=result.rating,
        duels=tuple(view_replay(duel, duel.ending) for duel in duels if duel.ending is not None),
    )


def view_replay(duel: Duel, ending: Ending) -> ReplayView:
    """Show a duel that is over."""
    ended = view_ending(duel, ending)
    return ReplayView(
        duel_id=duel.id,
        round=duel.round,
        players=duel.players,
        outcome=ended.outcome,
        winner=ended.winner,
        word=ended.word,
        letters=ended.letters,
        rows=tuple(_view_replay_row(duel, turn) for turn in range(1, duel.turn)),
    )


def _view_replay_row(duel: Duel, turn: int) -> ReplayRowView:
    row = view_row(duel, turn)
    return ReplayRowView(row.player_id, row.word, row.letters, row.marks)


def view_leaders(leaders: Sequence[Leader]) -> tuple[RankView, ...]:
    """Show the best players, best first, with their ranks: one more than are rated higher."""
    ranked: list[RankView] = []
    for place, leader in enumerate(leaders, start=1):
        shares = bool(ranked) and ranked[-1].rating == leader.rating
        ranked.append(view_rank(leader, ranked[-1].rank if shares else place))
    return tuple(ranked)


def view_rank(leader: Leader, rank: int) -> RankView:
    """Show where a player stands."""
    return RankView(rank, leader.player, leader.nickname, leader.rating, leader.games)


def view_turn(duel: Duel, turn: int, deadline: datetime | None) -> TurnView | None:
    """Show a turn about to be played; None when there is none."""
    return None if deadline is None else TurnView(turn, duel.player_of(turn), deadline)


def view_row(duel: Duel, turn: int) -> RowView:
    """Show a used turn."""
    row = duel.rows[turn - 1]
    if row is None:
        return RowView(turn, duel.player_of(turn), skipped=True)
    return RowView(
        turn=turn,
        player_id=duel.player_of(turn),
        skipped=False,
        word=view_word(duel, row.guess),
        letters=view_letters(duel, row.guess),
        marks=score_guess(duel.word, row.guess),
        received_at=row.received_at,
    )


def view_word(duel: Duel, word: str) -> str:
    """Write a canonical word as the duel's language does."""
    return languages.display(languages.LANGUAGES[duel.language], word)


def view_letters(duel: Duel, word: str) -> tuple[str, ...]:
    """Write each letter of a canonical word as the duel's language does (R9.4)."""
    return tuple(languages.letters(languages.LANGUAGES[duel.language], word))


def view_ending(duel: Duel, ending: Ending) -> EndingView:
    """Show the end of a duel with its word (R3.10)."""
    return EndingView(
        outcome=ending.outcome,
        winner=ending.winner,
        word=view_word(duel, duel.word),
        letters=view_letters(duel, duel.word),
    )


def view_duel(duel: Duel) -> DuelView:
    """Show a duel; its word only once it has ended (R3.10)."""
    running = duel.deadline is not None
    return DuelView(
        duel_id=duel.id,
        tournament_id=duel.tournament,
        version=duel.version,
        round=duel.round,
        language=duel.language,
        length=len(duel.word),
        players=duel.players,
        turn=duel.turn if running else None,
        player_id=duel.player_of(duel.turn) if running else None,
        deadline=duel.deadline,
        rows=tuple(view_row(duel, turn) for turn in range(1, duel.turn)),
        ended=None if duel.ending is None else view_ending(duel, duel.ending),
    )
