"""The screen of a player: from state to renderables; pure, and readable without colour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rich.console import Group as Stack
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from wordle_tools.bots.report import by_place
from wordle_tools.client.messages import Duel, Group, Mark, Row, Tournament
from wordle_tools.client.state import GameState
from wordle_tools.terminal.phrases import ending, hearts, marked, members, name, waiting
from wordle_tournament.rules.languages import LANGUAGES, Language, canonical, letters

ROWS = 12

_STYLES: Mapping[Mark, str] = {
    "correct": "bold white on green4",
    "present": "bold black on gold3",
    "absent": "white on grey30",
}
_RANK: Mapping[Mark, int] = {"absent": 0, "present": 1, "correct": 2}
_LITTLE_TIME = 10_000


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is drawn; `now` is the server's clock in milliseconds."""

    state: GameState
    now: int
    connected: bool = True
    draft: str = ""
    notice: str = ""


def draw(scene: Scene) -> RenderableType:
    """Draw the whole screen."""
    return Stack(_headline(scene), Text(), *_body(scene), Text(), *_footer(scene))


def _headline(scene: Scene) -> Text:
    state = scene.state
    line = Text("WORDLE TOURNAMENT", style="bold")
    tournament = state.tournament
    place = tournament or state.lobby or state.group
    if place is not None:
        line.append(f" · {LANGUAGES[place.language].name}", style="default")
    if tournament is not None and tournament.round:
        line.append(f" · round {tournament.round}", style="default")
    if state.profile is not None:
        profile = state.profile
        line.append(f" · {profile.nickname}, rated {profile.rating}", style="default")
    if not scene.connected:
        line.append(" · connection lost, coming back…", style="bold red")
    return line


def _body(scene: Scene) -> Iterator[RenderableType]:
    state = scene.state
    if state.tournament is None:
        yield from _before(state)
        return
    if state.tournament.phase == "ended":
        yield standings(state, state.tournament)
        return
    columns = Table.grid(padding=(0, 3))
    columns.add_row(_main_column(scene, state.tournament), _side_column(state, state.tournament))
    yield columns


def _before(state: GameState) -> Iterator[RenderableType]:
    if state.group is not None:
        yield _group(state, state.group)
    if state.lobby is not None:
        yield Text(waiting(state.lobby))
        for player in state.lobby.players:
            yield Text(f"  {player.nickname}")
    elif state.group is None:
        yield Text("Looking for a lobby…")


def _group(state: GameState, group: Group) -> RenderableType:
    lines = [
        Text.assemble("Group ", (group.code, "bold"), f" · invite friends: {group.invite_url}"),
        Text(members(group)),
    ]
    if state.lobby is None and group.leader == state.me:
        lines.append(Text("Type /start when everybody is here.", style="italic"))
    elif state.lobby is None:
        lines.append(Text("The leader starts the game.", style="italic"))
    return Stack(*lines, Text())


def _main_column(scene: Scene, tournament: Tournament) -> RenderableType:
    state = scene.state
    duel = state.my_duel
    if tournament.phase == "intro":
        return _pairings(state)
    if duel is not None and duel.round == tournament.round:
        language = LANGUAGES[duel.language]
        return Stack(board(state, duel, scene.draft), Text(), keyboard(language, duel))
    return _other_duels(state)


def _side_column(state: GameState, tournament: Tournament) -> RenderableType:
    duel = state.my_duel
    own_is_shown = duel is not None and duel.round == tournament.round
    if tournament.phase == "duels" and own_is_shown and duel is not None and duel.ended:
        return Stack(roster(state, tournament), Text(), _other_duels(state))
    return roster(state, tournament)


def board(state: GameState, duel: Duel, draft: str = "") -> RenderableType:
    """Draw a duel's twelve rows, one's own draft in the row of one's turn."""
    grid = Table.grid(padding=(0, 1))
    for turn in range(1, ROWS + 1):
        who = name(state, duel.players[(turn - 1) % 2])
        label = Text(f"{turn:2} {_short(who)}", style="bold" if who == "you" else "dim")
        grid.add_row(label, _row(state, duel, turn, draft))
    return grid


def _row(state: GameState, duel: Duel, turn: int, draft: str) -> Text:
    if turn <= len(duel.rows):
        return tiles(duel.rows[turn - 1], duel.length)
    if duel.ended is None and turn == duel.turn and duel.player_id == state.me:
        return _typed(LANGUAGES[duel.language], draft, duel.length)
    return Text(" · " * duel.length, style="dim")


def tiles(row: Row, length: int) -> Text:
    """Draw a used turn: `[a]` in place, `(a)` elsewhere, ` a ` absent."""
    if row.letters is None or row.marks is None:
        return Text(" — " * length, style="dim")
    text = Text()
    for letter, mark in zip(row.letters, row.marks, strict=False):
        text.append(marked((letter,), (mark,)), style=_STYLES[mark])
    return text


def _typed(language: Language, draft: str, length: int) -> Text:
    """Draw what is being typed, letter by letter as the language counts them (R9.4)."""
    word = canonical(language, draft)
    typed = letters(language, word) if word is not None else tuple(draft)
    if draft.startswith("/"):
        typed = ()
    text = Text("".join(f" {letter} " for letter in typed[:length]), style="bold underline")
    text.append(" _ " * (length - len(typed)), style="bold")
    if len(typed) > length:
        text.append(f" {len(typed) - length} too many", style="red")
    return text


def keyboard(language: Language, duel: Duel) -> RenderableType:
    """Draw the keyboard of a language with what the board tells of each letter."""
    known = best_marks(duel)
    lines = []
    for number, keys in enumerate(language.keyboard):
        line = Text(" " * number)
        for key in keys:
            mark = known.get(key)
            if mark == "absent":
                line.append(" · ".ljust(2 + len(key)), style="dim")
            elif mark is None:
                line.append(f" {key} ")
            else:
                line.append(marked((key,), (mark,)), style=_STYLES[mark])
        lines.append(line)
    return Stack(*lines)


def best_marks(duel: Duel) -> dict[str, Mark]:
    """Find the most that the rows tell of each letter."""
    best: dict[str, Mark] = {}
    for row in duel.rows:
        for letter, mark in zip(row.letters or (), row.marks or (), strict=False):
            if letter not in best or _RANK[mark] > _RANK[best[letter]]:
                best[letter] = mark
    return best


def roster(state: GameState, tournament: Tournament) -> RenderableType:
    """Draw the players with lives, places and rating changes."""
    table = Table.grid(padding=(0, 1))
    for player in sorted(tournament.players, key=lambda one: (one.place or 0, -one.lives)):
        style = "bold" if player.player_id == state.me else "default"
        if player.place is not None:
            result = f"place {player.place}, {player.rating_change or 0:+d}"
            table.add_row(Text(player.nickname, style=f"{style} dim"), Text(result, style="dim"))
            continue
        lives = Text(hearts(player.lives), style="red")
        if player.left:
            lives = Text("left", style="dim")
        elif not player.connected:
            lives.append(" away", style="yellow")
        table.add_row(Text(player.nickname, style=style), lives)
    return table


def _pairings(state: GameState) -> RenderableType:
    intro = state.intro
    if intro is None:
        return Text("The next round is about to begin.")
    lines = [Text(f"Round {intro.round}", style="bold"), Text()]
    for pairing in intro.pairings:
        own = state.me in pairing.players
        one, other = (name(state, player) for player in pairing.players)
        lines.append(Text(f"  {one}  –  {other}", style="bold" if own else "default"))
    if intro.bye is not None:
        who = name(state, intro.bye)
        lines.append(Text(f"  {who} {'sit' if who == 'you' else 'sits'} this round out"))
    return Stack(*lines)


def _other_duels(state: GameState) -> RenderableType:
    """Draw the duels that one watches, each in a line or two."""
    others = [
        duel
        for duel in state.duels.values()
        if state.me not in duel.players
        and state.tournament is not None
        and duel.round == state.tournament.round
    ]
    if not others:
        return Text("The others are still playing.", style="italic")
    lines = [Text("The others:", style="italic")]
    for duel in sorted(others, key=lambda one: one.duel_id):
        one, other = (name(state, player) for player in duel.players)
        if duel.ended is not None:
            lines.append(Text(ending(state, duel), style="dim"))
            continue
        lines.append(Text(f"{one} – {other}, turn {duel.turn}"))
        if duel.rows:
            lines.append(Text("  ").append_text(tiles(duel.rows[-1], duel.length)))
    return Stack(*lines)


def standings(state: GameState, tournament: Tournament) -> RenderableType:
    """Draw the end of a tournament: places, names, changes and new ratings."""
    table = Table(box=None, title="The tournament is over", title_justify="left")
    table.add_column("place", justify="right")
    table.add_column("player")
    table.add_column("change", justify="right")
    table.add_column("rating", justify="right")
    for player in by_place(tournament):
        change = player.rating_change or 0
        table.add_row(
            str(player.place or "-"),
            player.nickname,
            f"{change:+d}",
            str(player.rating + change),
            style="bold" if player.player_id == state.me else "default",
        )
    return table


def _footer(scene: Scene) -> Iterator[RenderableType]:
    yield _prompt(scene)
    yield Text(f"> {scene.draft}▏")
    yield Text(scene.notice, style="yellow")


def _prompt(scene: Scene) -> Text:
    state = scene.state
    tournament = state.tournament
    if tournament is None:
        return Text("Ctrl-C leaves.", style="dim")
    if tournament.phase == "ended":
        return Text("Enter plays again, Ctrl-C leaves.", style="italic")
    if tournament.phase == "intro" and state.intro is not None:
        return _clock("The round begins in", state.intro.ends_at - scene.now)
    duel = state.my_duel
    if duel is not None and duel.round == tournament.round:
        if duel.ended is not None:
            return Text(ending(state, duel), style="bold")
        if duel.deadline is not None:
            mine = duel.player_id == state.me
            whose = "Your turn" if mine else f"{name(state, duel.player_id)}'s turn"
            return _clock(f"{whose}:", duel.deadline - scene.now)
    standing = state.standing
    if standing is not None and standing.place is not None:
        change = standing.rating_change or 0
        return Text(
            f"You are out: place {standing.place}, {change:+d}. "
            "You see the others play; Enter plays again.",
            style="bold",
        )
    return Text("You sit this round out.", style="italic")


def _clock(what: str, left_ms: int) -> Text:
    seconds = max(0, -(-left_ms // 1000))
    style = "bold red" if left_ms < _LITTLE_TIME else "bold"
    return Text.assemble((f"{what} ", "bold"), (f"{seconds} s", style))


def _short(who: str) -> str:
    return who if len(who) <= 12 else who[:11] + "…"
