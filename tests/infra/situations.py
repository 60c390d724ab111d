"""Situations in which each function needs all that it may do."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from tests.functions.conftest import CONTEXT, Functions, arriving
from tests.functions.test_actions import ANSWERS
from tests.infra.calls import Gate
from tests.usecases.instruments import Crash
from tests.usecases.table import MINUTE, SECOND, Client, Table, crash_after
from wordle_tools.bench.functions import load_handler
from wordle_tournament.entry.limits import Verdict
from wordle_tournament.ports.store import save
from wordle_tournament.rules.group import dismiss
from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.moments import from_ms

Act = Callable[[], object]
"""The one call of the function that a situation is about."""

FIELDS: Mapping[str, Mapping[str, object]] = {
    "hello": {"protocol": 1},
    "rename": {"nickname": "Ann"},
    "join": {"language": "en"},
    "guess": {"duelId": "t.1.0", "turn": 1, "word": "zzzz"},
    "createGroup": {"language": "en"},
    "joinGroup": {"code": "nowhere"},
    "removeFromGroup": {"playerId": "nobody"},
    "setGroupLanguage": {"language": "de"},
}
"""What the message of an action must have, where it must have anything."""


@dataclass(frozen=True)
class Stage:
    """All functions around one game in memory, and the name of the one that is looked at."""

    function: str
    functions: Functions
    gate: Gate

    @property
    def table(self) -> Table:
        """The game."""
        return self.functions.table

    def message(self, client: Client, **fields: object) -> Act:
        """The function gets a message of a client."""
        body = json.dumps({"action": self.function, **FIELDS.get(self.function, {}), **fields})
        return lambda: self.functions.send(client, self.function, body)

    def wake(self, **state: object) -> Act:
        """The function gets the state of a timer, or the event of a schedule."""
        return lambda: load_handler(self.function)(state, CONTEXT)

    def turn_to(self, client: Client) -> Act:
        """The function has to do with a client who is away: with their return or their time."""
        match self.function:
            case "tick":
                return self.wake(tournamentId=self.table.tournament(client).id, round=1)
            case "expireGrace":
                self.table.clock.advance(MINUTE)
                return self.wake(playerId=client.player, loss=client.stored().losses)
            case "sweep":
                self.table.clock.advance(MINUTE)
                return self.wake()
            case _:
                client.connect()
                return self.message(client)


Situation = Callable[[Stage], Act]


def done_as_it_should_be(stage: Stage) -> Act:
    """What the action is for."""
    scene, _ = ANSWERS[stage.function]
    client, fields = scene(stage.functions)
    return stage.message(client, **fields)


def a_new_player(stage: Stage) -> Act:
    """R10.1: the action is the first message of all."""
    return stage.message(stage.table.stranger("ann"))


def a_second_connection(stage: Stage) -> Act:
    """R7.3: the first message on a connection that replaces another."""
    client = stage.table.client("ann")
    client.connect()
    return stage.message(client)


def one_message_too_many(stage: Stage) -> Act:
    """The client is shown out."""
    client = stage.table.client("ann")
    _use_up_limit(stage, client)
    return stage.message(client)


def a_decided_round(stage: Stage) -> Act:
    """R4.1, R7.2: nobody has settled it yet, and one who left it is gone without a goodbye.

    The settling finds that out, and the lobby that they sat in can now be filled.
    """
    table = stage.table
    on_turn, away = _let_round_come_to_its_last_duel(table)
    table.steps.taken.clear()
    table.steps.before = crash_after(table, "play")
    with pytest.raises(Crash):
        table.solve(table.duel(on_turn))
    table.steps.before = None
    return stage.turn_to(away)


def a_turn_that_ran_out(stage: Stage) -> Act:
    """R3.3: no timer has said so."""
    table = stage.table
    somebody, *_ = table.eight()
    away = table.find(table.open_round(somebody)[0].player_of(2))
    away.disconnect()
    table.clock.advance(40 * SECOND)
    return stage.turn_to(away)


def the_last_duel_of_a_round(stage: Stage) -> Act:
    """R3.4, R4.1: the guess solves it, and one who left the round is gone without a goodbye."""
    on_turn, _ = _let_round_come_to_its_last_duel(stage.table)
    duel = stage.table.duel(on_turn)
    return stage.message(on_turn, duelId=duel.id, turn=duel.turn, word=duel.word)


def a_lobby_left_that_can_be_filled(stage: Stage) -> Act:
    """R6.5: the gateway says goodbye for one of five friends, and there are four others."""
    gone = stage.table.client("ann")
    _seat_five_and_four(stage.table, gone)
    return _goodbye(stage, gone)


def a_tournament_left(stage: Stage) -> Act:
    """R7.2: the gateway says goodbye for a player of a tournament."""
    somebody, *_ = stage.table.eight()
    return _goodbye(stage, somebody)


def the_last_member_leaves(stage: Stage) -> Act:
    """R8.5: an empty group is gone."""
    client = stage.table.client("ann")
    client.create_group()
    return stage.message(client)


def a_member_whose_timer_was_lost(stage: Stage) -> Act:
    """R8.5: the only one of a group, to whom a friend comes too late."""
    leader, guest = stage.table.several("ab")
    code = leader.create_group()
    leader.disconnect()
    stage.table.clock.advance(MINUTE)
    return stage.message(guest, code=code)


def a_leader_who_leaves_at_the_same_time(stage: Stage) -> Act:
    """R8.5: their `leaveGroup` is written first, and just then the other member's time is up."""
    table = stage.table
    leader, member = table.friends("ab")
    member.disconnect()
    group, player = leader.group(), leader.stored()
    remaining = dismiss(group, leader.player, connected=())
    assert remaining is not None

    def leave_first(_: int) -> None:
        if table.steps.taken == ["player"]:
            with stage.gate.working(None):
                gone = save(replace(player, group=None), player)
                table.store.commit(save(remaining, group), gone)
            table.clock.advance(MINUTE)

    def act() -> None:
        table.steps.taken.clear()
        table.steps.before = leave_first
        stage.message(leader, playerId=member.player)()

    return act


def a_rank_that_is_not_shown(stage: Stage) -> Act:
    """Of two rated players the leaderboard shows the other one."""
    table = stage.table
    somebody, *_ = table.eight()
    duel, other, *_ = duels = table.open_round(somebody)
    losers = [duel.player_of(2), other.player_of(2)]
    table.set_lives(somebody, dict.fromkeys(losers, 1))
    for one in duels:
        table.solve(one)
    (shown,) = table.store.leaders(1)
    (hidden,) = {*losers} - {shown.player}
    return stage.message(table.find(hidden), limit=1)


def a_result_to_show(stage: Stage) -> Act:
    """A place in a tournament."""
    scene, _ = ANSWERS["watch"]
    client, _ = scene(stage.functions)
    return stage.message(client)


def a_returning_player(stage: Stage) -> Act:
    """R7.4: the handshake brings a token."""
    event = stage.functions.event("authorize")
    token = stage.table.game.tokens.mint(PlayerId("ann"), from_ms(0))
    event["queryStringParameters"] = {"token": token}
    return lambda: load_handler(stage.function)(event, CONTEXT)


def _seat_five_and_four(table: Table, fifth: Client) -> None:
    """Seat four friends and a fifth in one lobby and four in another: one too many for a game."""
    leader, *_ = table.friends("jklm")
    fifth.join_group(leader.group().code)
    leader.start_group()
    table.friends("stuv")[0].start_group()


def _let_round_come_to_its_last_duel(table: Table) -> tuple[Client, Client]:
    """Tells who can solve it, and one who won an earlier one, and is away.

    Whoever loses it is out; one has left the round, sits with friends in a lobby of five that
    stands beside one of four, and is gone.
    """
    somebody, *_ = table.eight()
    first, second, third, last = table.open_round(somebody)
    leaver = table.find(first.player_of(2))
    leaver.leave()
    for duel in (second, third):
        table.solve(duel)
    table.set_lives(somebody, {last.player_of(2): 1})
    _seat_five_and_four(table, leaver)
    away = table.find(second.player_of(1))
    away.create_group()
    away.disconnect()
    leaver.vanish()
    return table.find(last.player_of(1)), away


def _goodbye(stage: Stage, client: Client) -> Act:
    event = arriving(stage.functions.event("disconnect"), client)
    client.vanish()
    return lambda: load_handler(stage.function)(event, CONTEXT)


def _use_up_limit(stage: Stage, client: Client) -> None:
    now, judge = stage.table.clock.now(), stage.functions.limits.judge
    while judge(client.connection, now) is not Verdict.ENOUGH:
        pass


ATTENDING: Sequence[Situation] = (
    done_as_it_should_be,
    a_new_player,
    a_second_connection,
    a_decided_round,
    a_turn_that_ran_out,
)
"""Of every function whose message can be the first one on a connection."""

SITUATIONS: Mapping[str, Sequence[Situation]] = {
    "authorize": [a_returning_player],
    "connect": [one_message_too_many],
    "default": [one_message_too_many],
    "disconnect": [a_lobby_left_that_can_be_filled, a_tournament_left, one_message_too_many],
    "hello": ATTENDING,
    "sync": ATTENDING,
    "ping": [done_as_it_should_be, one_message_too_many],
    "rename": ATTENDING,
    "join": ATTENDING,
    "leave": ATTENDING,
    "guess": [done_as_it_should_be, the_last_duel_of_a_round, one_message_too_many],
    "watch": ATTENDING,
    "unwatch": ATTENDING,
    "createGroup": ATTENDING,
    "joinGroup": [*ATTENDING, a_member_whose_timer_was_lost],
    "leaveGroup": [*ATTENDING, the_last_member_leaves],
    "removeFromGroup": [*ATTENDING, a_leader_who_leaves_at_the_same_time],
    "setGroupLanguage": [*ATTENDING, a_leader_who_leaves_at_the_same_time],
    "startGroup": [*ATTENDING, a_leader_who_leaves_at_the_same_time],
    "history": [a_result_to_show, one_message_too_many],
    "leaderboard": [a_rank_that_is_not_shown, one_message_too_many],
    "tick": [a_decided_round, a_turn_that_ran_out],
    "expireGrace": [a_decided_round, a_turn_that_ran_out],
    "sweep": [a_decided_round, a_turn_that_ran_out],
}
"""The situations of each function, by the name of its folder."""
