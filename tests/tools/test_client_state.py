"""The fold of server messages: order, gaps, doubles and snapshots."""

from __future__ import annotations

import random

import pytest

from tests.tools import sample
from tests.tools.made_up import PLAYERS, Frame, MadeUpTournament
from wordle_tools.client.messages import MalformedMessageError, Message, UnknownMessage, parse
from wordle_tools.client.state import GameState, apply, fold


def _heard_by(player: str, frames: list[Frame]) -> list[Message]:
    return [
        sample.message(frame.content)
        for frame in frames
        if frame.player == player and not frame.sent
    ]


def _fold_all(messages: list[Message]) -> GameState:
    state = GameState()
    for message in messages:
        state = apply(state, message)
    return state


@pytest.fixture
def heard() -> list[Message]:
    """What p0 hears of a whole tournament."""
    return _heard_by("p0", MadeUpTournament(draws=(3,), leaver="p5").frames)


@pytest.fixture
def playing() -> GameState:
    """In a duel at version 1, on turn."""
    return sample.state(tournament=sample.tournament(), duels=[sample.duel()])


def _snapshot(**fields: object) -> Message:
    return sample.message(sample.snapshot(**fields))


def _skip(version: int, turn: int) -> Message:
    return sample.message(sample.turn_skipped(version, turn))


def _lobby(version: int, players: tuple[str, ...], **fields: object) -> Message:
    told = {"type": "lobby", "lobby": sample.lobby(version, players), **fields}
    return sample.message(told)


def test_a_whole_tournament_is_known_at_its_end(heard: list[Message]) -> None:
    """Lives, places and changes are those told."""
    state = _fold_all(heard)
    assert state.tournament is not None
    assert state.tournament.phase == "ended"
    places = sorted(player.place or 0 for player in state.tournament.players)
    assert places[0] == 1
    assert 0 not in places
    standing = state.standing
    assert standing is not None
    assert state.profile is not None
    assert standing.rating_change is not None
    assert state.profile.rating == standing.rating + standing.rating_change
    assert not state.wants_sync


@pytest.mark.parametrize("seed", range(20))
def test_events_that_overtake_each_other_lead_to_the_same_state(
    heard: list[Message], seed: int
) -> None:
    """Clients apply events in order of version."""
    chance = random.Random(seed)
    delayed = sorted(enumerate(heard), key=lambda item: item[0] + chance.uniform(0, 6))
    welcome_first = sorted((message for _, message in delayed), key=_is_no_welcome)
    shuffled, straight = _fold_all(welcome_first), _fold_all(heard)
    assert shuffled.tournament == straight.tournament
    assert shuffled.duels == straight.duels
    assert shuffled.lobby is None


def _is_no_welcome(message: Message) -> bool:
    return message.type != "welcome"


def test_events_that_come_twice_count_once(heard: list[Message]) -> None:
    """A client ignores what it has."""
    doubled = [message for message in heard for _ in range(2)]
    assert _fold_all(doubled).tournament == _fold_all(heard).tournament
    assert _fold_all(doubled).duels == _fold_all(heard).duels


def test_effective_messages_come_once_and_in_order_of_version(playing: GameState) -> None:
    """A narrator may tell what takes effect just as it comes."""
    early = fold(playing, _skip(3, 2))
    assert early.effective == ()
    step = fold(early.state, _skip(2, 1))
    assert step.effective == (_skip(2, 1), _skip(3, 2))
    assert fold(step.state, _skip(2, 1)).effective == ()


def test_a_gap_wants_a_sync_and_a_snapshot_fills_it(playing: GameState) -> None:
    """On a gap a client sends `sync`."""
    state = apply(playing, _skip(4, 3))
    assert state.wants_sync
    view = sample.duel(version=3, rows=sample.skipped_rows(2), turn=3)
    state = apply(state, _snapshot(tournament=sample.tournament(), duels=[view]))
    duel = state.my_duel
    assert duel is not None
    assert (duel.version, len(duel.rows), duel.turn) == (4, 3, 4)
    assert not state.wants_sync


def test_what_two_snapshots_do_not_explain_is_given_up(playing: GameState) -> None:
    """An event of a thing that is over does not ask for ever."""
    stray = sample.message(
        {"type": "turnSkipped", "duelId": "old", "version": 9, "turn": 3, "playerId": "p7"}
    )
    snapshot = _snapshot(tournament=sample.tournament(), duels=[sample.duel()])
    state = apply(apply(playing, stray), snapshot)
    assert state.wants_sync
    assert not apply(state, snapshot).wants_sync


def test_an_old_snapshot_does_not_undo_events(playing: GameState) -> None:
    """Frames can overtake each other, snapshots too."""
    ahead = apply(playing, _skip(2, 1))
    state = apply(ahead, _snapshot(tournament=sample.tournament(), duels=[sample.duel()]))
    assert state.my_duel == ahead.my_duel


def test_a_snapshot_without_the_tournament_is_asked_for_once_more(playing: GameState) -> None:
    """When in doubt a client sends `sync`."""
    state = apply(playing, _snapshot())
    assert state.wants_sync
    assert not apply(state, _snapshot()).wants_sync


def test_turns_follow_the_events(playing: GameState) -> None:
    """Whose turn it is, and until when."""
    assert playing.my_turn
    assert playing.due == sample.FAR_OFF
    state = apply(playing, _skip(2, 1))
    assert not state.my_turn
    assert state.due == sample.FAR_OFF + 1


def test_a_late_lobby_does_not_undo_the_start() -> None:
    """The eighth player's lobby may come after `tournamentStarted`."""
    started = sample.message(
        {"type": "tournamentStarted", "tournament": sample.tournament(version=1)}
    )
    state = apply(apply(sample.state(), started), _lobby(8, PLAYERS))
    assert state.lobby is None
    assert state.tournament is not None


def test_a_new_lobby_ends_the_look_at_the_old_tournament(playing: GameState) -> None:
    """R6.6: who is out may play again at once."""
    state = apply(playing, _lobby(1, ("p0",), requestId="x"))
    assert state.lobby is not None
    assert state.tournament is None
    event = {"type": "playerLeft", "tournamentId": "t1", "version": 6, "playerId": "p3"}
    assert not apply(state, sample.message(event)).wants_sync


def test_a_lobby_one_has_left_comes_back_only_by_a_snapshot() -> None:
    """A late `lobby` does not seat a player again."""
    state = apply(sample.state(), _lobby(3, ("p0", "p1")))
    state = apply(state, sample.message({"type": "left", "from": "lobby", "id": "l1"}))
    assert state.lobby is None
    state = apply(state, _lobby(4, ("p0", "p1", "p2")))
    assert state.lobby is None
    assert state.wants_sync


def test_joining_the_same_lobby_again_seats_again() -> None:
    """The answer to one's own `join` counts."""
    state = apply(sample.state(), _lobby(3, ("p0", "p1")))
    state = apply(state, sample.message({"type": "left", "from": "lobby", "id": "l1"}))
    state = apply(state, _lobby(5, ("p1", "p0"), requestId="x"))
    assert state.lobby is not None
    assert not state.wants_sync


def test_an_older_lobby_is_ignored() -> None:
    """A lobby is told as a whole: the newest version counts."""
    state = apply(sample.state(), _lobby(5, ("p0", "p1", "p2")))
    assert apply(state, _lobby(4, ("p0", "p1"))) == state


def test_a_player_is_told_to_come_and_go(playing: GameState) -> None:
    """R7.2"""
    event = {"tournamentId": "t1", "playerId": "p3"}
    gone = {"type": "playerDisconnected", "version": 6, "backBy": 99, **event}
    state = apply(playing, sample.message(gone))
    player = state.player("p3")
    assert player is not None
    assert (player.connected, player.back_by) == (False, 99)
    state = apply(state, sample.message({"type": "playerReconnected", "version": 7, **event}))
    player = state.player("p3")
    assert player is not None
    assert (player.connected, player.back_by) == (True, None)


def test_unknown_messages_and_fields_are_no_fault() -> None:
    """Adding fields and messages is free."""
    assert isinstance(sample.message({"type": "weather", "sun": True}), UnknownMessage)
    assert sample.message({"type": "pong", "serverTime": 1, "more": []}).type == "pong"


@pytest.mark.parametrize(
    "text", ["", "[]", '"pong"', "{}", '{"type": "pong", "serverTime": "now"}', '{"type": 5}']
)
def test_malformed_messages_are_refused(text: str) -> None:
    """Fields have the types of the protocol."""
    with pytest.raises(MalformedMessageError):
        parse(text)


def test_what_is_wrong_with_a_message_never_tells_its_values() -> None:
    """The token appears nowhere."""
    with pytest.raises(MalformedMessageError) as caught:
        parse('{"type": "welcome", "token": {"secret": "hush"}, "protocol": "hush"}')
    assert "hush" not in str(caught.value)
    assert "hush" not in repr(caught.value.__context__)


def test_a_welcome_does_not_show_its_token() -> None:
    """The token is in no representation."""
    (welcome,) = (
        one for one in _heard_by("p0", MadeUpTournament().frames) if one.type == "welcome"
    )
    assert "token-of-p0" not in repr(welcome)
