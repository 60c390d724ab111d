"""Moments of a game from which several things can happen next, each an action by name."""

from collections.abc import Callable, Mapping
from functools import partial

from tests.usecases.table import MINUTE, MS, SECOND, Table
from wordle_tournament.adapters.memory_outside import Grace
from wordle_tournament.rules.duel import Duel

Action = Callable[[], object]
Story = Callable[[Table], Mapping[str, Action]]


def a_lobby_one_short(table: Table) -> Mapping[str, Action]:
    """Seven sit in a lobby, two of them friends; two more are about to come."""
    ann, bob = table.friends("ab")
    ann.start_group()
    singles = table.several("cdefg")
    for single in singles:
        single.join()
    carl, dora, *_ = singles
    eighth, ninth = table.several("hi")
    other = table.client("o", rating=1300)
    other.join()
    return {
        "the eighth joins": eighth.join,
        "the ninth joins": ninth.join,
        "the eighth joins on a new connection": in_turn(eighth.connect, eighth.join),
        "one of the seven asks again": carl.join,
        "one of the seven leaves": carl.leave,
        "one of the friends leaves": bob.leave,
        "one of the seven is lost": dora.disconnect,
        "one of the friends is lost": ann.disconnect,
        "one of the seven comes on a new connection": carl.come_back,
        "one of the friends comes on a new connection": bob.come_back,
        "one of the seven asks for everything": dora.sync,
        "one of the friends leaves the group": bob.leave_group,
        "somebody goes elsewhere": in_turn(other.leave, lambda: other.join("de")),
        "a minute passes": lambda: table.pass_time(MINUTE, sweeping=True),
    }


def a_round_about_to_end(table: Table) -> Mapping[str, Action]:
    """Seven are in their second round: one has a bye and watches, the last duel is running.

    In it the player on turn and the other one are friends of each other; of the two duels that
    are over one put a player out, who watches too, and a winner has changed the connection and
    not said hello.
    """
    clients = table.eight()
    first = clients[0]
    clients[7].leave()
    for duel in table.open_round(first):
        if not duel.over:
            table.solve(duel)
    running = table.open_round(first)
    *early, last = running
    bye = table.tournament(first).pairing.bye
    assert bye is not None
    loser = early[0].player_of(2)
    table.set_lives(first, {loser: 1, last.player_of(2): 1})
    for duel in early:
        table.solve(duel)
    on_turn, opponent = (table.find(last.player_of(turn)) for turn in (1, 2))
    code = on_turn.create_group()
    opponent.join_group(code)
    resting, out = table.find(bye), table.find(loser)
    winner = table.find(early[0].player_of(1))
    tournament = last.tournament
    quiet = table.find(early[1].player_of(1))
    quiet.connect()
    quiet.sync()
    resting.watch()
    out.watch()
    return {
        "the last duel is solved": lambda: table.solve(last),
        "the last duel goes on": lambda: table.miss(last),
        "the turn of the last duel runs out": lambda: _run_out(table, last),
        "a player of the last duel leaves": opponent.leave,
        "the player on turn is lost": on_turn.disconnect,
        "the player on turn is lost unnoticed": on_turn.vanish,
        "the player on turn comes on a new connection": on_turn.come_back,
        "the opponent comes on a new connection": opponent.come_back,
        "one with a bye leaves": resting.leave,
        "one with a bye watches no longer": resting.unwatch,
        "one with a bye is lost": resting.disconnect,
        "one with a bye comes on a new connection": resting.come_back,
        "one who lost leaves": out.leave,
        "one who lost joins again": in_turn(out.leave, out.join),
        "one who won watches": winner.watch,
        "one who won comes on a new connection": winner.come_back,
        "one who won asks for everything": winner.sync,
        "the quiet one says hello": quiet.hello,
        "the quiet one watches": quiet.watch,
        "somebody wakes the tournament": lambda: table.tick(tournament),
        "a friend leaves the group": opponent.leave_group,
    }


def a_round_with_players_gone(table: Table) -> Mapping[str, Action]:
    """A first round in which one player has been gone for nearly 60 s, one came back silently."""
    clients = table.eight()
    first = clients[0]
    last, *others = table.open_round(first)
    on_turn, opponent = (table.find(last.player_of(turn)) for turn in (1, 2))
    gone = table.find(others[0].player_of(1))
    silent = table.find(others[1].player_of(1))
    code = gone.create_group()
    opponent.join_group(code)
    silent.join_group(code)
    for duel in others:
        table.solve(duel)
    gone.disconnect()
    loss = gone.stored().losses
    silent.connect()
    table.pass_time(35 * SECOND)
    opponent.disconnect()
    table.pass_time(25 * SECOND - 2 * MS)
    last = table.duel(on_turn)
    back_by = table.tournament(first).entrant(gone.player).back_by
    assert back_by is not None
    tournament = last.tournament
    too_late = partial(table.clock.set, back_by)
    return {
        "the one gone comes back": gone.come_back,
        "the one gone comes back too late": in_turn(too_late, gone.come_back),
        "the grace of the one gone ends": in_turn(
            too_late, lambda: table.wake(Grace(gone.player, loss))
        ),
        "the other one gone comes back": opponent.come_back,
        "the other one gone comes back and is lost": in_turn(
            opponent.come_back, opponent.disconnect
        ),
        "the one who came silently says hello": silent.hello,
        "the one who came silently asks for everything": silent.sync,
        "the one who came silently leaves": silent.leave,
        "the last duel is solved": lambda: table.find(last.player_of(last.turn)).guess(
            last.id, last.turn, last.word
        ),
        "the last player is lost": on_turn.disconnect,
        "somebody wakes the tournament": lambda: table.tick(tournament),
        "too late somebody wakes the tournament": in_turn(too_late, lambda: table.tick(tournament)),
    }


def a_group_ready_to_start(table: Table) -> Mapping[str, Action]:
    """Four friends, one of them put out and watching, one lost; four strangers in a lobby."""
    clients = table.eight()
    first, *_ = clients
    out = table.find(table.open_round(first)[0].player_of(2))
    table.set_lives(first, {out.player: 1})
    for duel in table.duels(first):
        table.solve(duel)
    lead, next_one, lost = table.friends("lmn")
    out.join_group(lead.group().code)
    running = table.open_round(first)
    out.watch()
    guest = table.client("g")
    code = lead.group().code
    for stranger in table.several("wxyz"):
        stranger.join()
    lost.disconnect()
    loss = lost.stored().losses
    return {
        "the leader starts": in_turn(lost.come_back, lead.start_group),
        "the leader starts in vain": lead.start_group,
        "the leader leaves": lead.leave_group,
        "the next one leaves": next_one.leave_group,
        "the leader is lost": lead.disconnect,
        "the next one is lost": next_one.disconnect,
        "the leader removes the next one": lambda: lead.remove(next_one),
        "the leader removes the one lost": lambda: lead.remove(lost),
        "the one lost comes back": lost.come_back,
        "the grace of the one lost ends": in_turn(
            lambda: table.clock.advance(MINUTE), lambda: table.wake(Grace(lost.player, loss))
        ),
        "a guest joins the group": lambda: guest.join_group(code),
        "the next one joins a lobby alone": next_one.join,
        "the one who watches watches no longer": out.unwatch,
        "the one who watches joins a lobby alone": out.join,
        "the one who watches comes on a new connection": out.come_back,
        "the leader chooses another language": lambda: lead.set_group_language("de"),
        "the next one takes another name": lambda: next_one.rename("Somebody Else"),
        "a round ends": lambda: [table.solve(duel) for duel in running],
    }


def in_turn(*actions: Action) -> Action:
    """One action after another."""
    return lambda: [action() for action in actions]


STORIES: Mapping[str, Story] = {
    story.__name__.replace("_", " "): story
    for story in (
        a_lobby_one_short,
        a_round_about_to_end,
        a_round_with_players_gone,
        a_group_ready_to_start,
    )
}


def action_names() -> list[tuple[str, str]]:
    """Each action of each story."""
    return [(name, action) for name, story in STORIES.items() for action in story(Table())]


def _run_out(table: Table, duel: Duel) -> None:
    stored = table.store.duel(duel.id)
    if stored is not None and stored.deadline is not None:
        table.clock.set(max(table.clock.now(), stored.deadline + table.game.pace.settle))
    table.tick(duel.tournament)
