"""The referee finds nothing in a right tournament, and each breach in a spoilt one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tools.made_up import Frame, MadeUpTournament, alter, judge, rules_broken

Content = dict[str, Any]


@pytest.fixture
def frames() -> list[Frame]:
    """A right tournament, to be spoilt."""
    return MadeUpTournament().frames


@pytest.mark.parametrize("seed", range(10))
def test_a_right_tournament_has_no_breach(seed: int) -> None:
    """All rules, with wins only."""
    assert judge(MadeUpTournament(seed).frames) == []


@pytest.mark.parametrize("seed", range(10))
def test_a_right_tournament_with_draws_and_a_leaver_has_no_breach(seed: int) -> None:
    """R3.5, R4.2, R4.4."""
    played = MadeUpTournament(seed, draws=(2, 5, 9, 12), leaver="p3")
    assert judge(played.frames) == []


def test_frames_that_overtake_each_other_are_no_breach(frames: list[Frame]) -> None:
    """Order and gaps: what counts is the version."""
    events = [
        place
        for place, frame in enumerate(frames)
        if not frame.sent and "requestId" not in frame.content and "version" in frame.content
    ]
    for one, other in zip(events[::2], events[1::2], strict=False):
        frames[one], frames[other] = frames[other], frames[one]
    assert judge(frames) == []


def _set(**fields: object) -> Any:
    return lambda content: content.update(fields)


def _standing(number: int, **fields: object) -> Any:
    return lambda content: content["standings"][number].update(fields)


def _shift_word(content: Content) -> None:
    content.update(word="qqqq", letters=list("qqqq"))


def _flip_mark(content: Content) -> None:
    content["marks"][0] = "present"


def _swap_next(content: Content) -> None:
    content["next"]["playerId"] = content["playerId"]


SPOILT: dict[str, tuple[str, int, Any, str]] = {
    "a wrong mark": ("guessMade", 0, _flip_mark, "R3.7"),
    "a turn out of order": ("guessMade", 0, _set(turn=2), "R3.1"),
    "a guess after the deadline": ("guessMade", 0, _set(receivedAt=9_000_000), "R3.8"),
    "letters of another word": ("guessMade", 0, _set(word="abcd"), "R9.4"),
    "a guess too short": ("guessMade", 0, _set(letters=["z"], marks=["absent"]), "R3.6"),
    "the same player again": ("guessMade", 0, _swap_next, "R3.1"),
    "no next turn": ("guessMade", 0, lambda content: content.pop("next"), "R3.2"),
    "play after a solution": ("guessMade", 0, _set(marks=["correct"] * 4), "R3.4"),
    "a skip of a stranger": ("turnSkipped", 0, _set(playerId="p0x"), "R3.1"),
    "a deadline that falls": (
        "turnSkipped",
        0,
        lambda content: content["next"].update(deadline=5),
        "R3.2",
    ),
    "a word of seven letters": (
        "duelStarted",
        0,
        lambda content: content["duel"].update(length=7),
        "R9.2",
    ),
    "a start with turn 2": (
        "duelStarted",
        0,
        lambda content: content["duel"].update(turn=2),
        "R3.1",
    ),
    "a duel other than announced": (
        "duelStarted",
        0,
        lambda content: content["duel"]["players"].reverse(),
        "R1.2",
    ),
    "a draw before twelve turns": ("duelEnded", 0, _set(outcome="draw"), "R3.5"),
    "lost by leaving once solved": ("duelEnded", 0, _set(outcome="left"), "R4.2"),
    "a winner who did not solve": ("duelEnded", 0, _set(winner="p0x"), "R3.4"),
    "a hidden word of another length": ("duelEnded", 1, _shift_word, "R9.2"),
    "seven players": (
        "tournamentStarted",
        0,
        lambda content: content["tournament"]["players"].pop(),
        "R1.1",
    ),
    "two lives at the start": (
        "tournamentStarted",
        0,
        lambda content: content["tournament"]["players"][0].update(lives=2),
        "R1.1",
    ),
    "a round left out": ("roundIntro", 0, _set(round=2), "R1.2"),
    "a pair left out": ("roundIntro", 0, lambda content: content["pairings"].pop(), "R1.2"),
    "a bye of eight": ("roundIntro", 0, _set(bye="p0"), "R2.2"),
    "two lives lost at once": ("roundEnded", 0, _standing(0, lives=1), "R1.1"),
    "a life won": ("roundEnded", 0, _standing(0, lives=4), "R1.1"),
    "a place while in": ("roundEnded", 0, _standing(0, place=8), "R4.4"),
    "a change while in": ("roundEnded", 0, _standing(0, ratingChange=-25), "R5.5"),
    "a standing left out": ("roundEnded", 0, lambda content: content["standings"].pop(), "R4.1"),
    "a place that changes": ("tournamentEnded", 0, _standing(0, place=9), "R4.1"),
    "a wrong rating change": ("tournamentEnded", 0, _standing(0, ratingChange=77), "R5.3"),
    "a wrong rating": ("tournamentEnded", 0, _standing(0, rating=77), "R5.5"),
    "seven at the end": (
        "tournamentEnded",
        0,
        lambda content: content["standings"].pop(),
        "R4.1",
    ),
    "a lobby out of reach": (
        "lobby",
        3,
        lambda content: content["lobby"].update(rating=1191),
        "R6.2",
    ),
    "nine seats": ("lobby", 3, lambda content: content["lobby"].update(seats=9), "R6.1"),
    "a player on two seats": (
        "lobby",
        3,
        lambda content: content["lobby"]["players"].append(content["lobby"]["players"][0]),
        "R6.4",
    ),
    "a field left out": ("lobby", 3, lambda content: content["lobby"].pop("rating"), "fields"),
    "a field of another type": ("guessMade", 0, _set(receivedAt="soon"), "fields"),
    "a name in snake case": ("guessMade", 0, _set(received_at=5), "fields"),
    "a null": ("guessMade", 0, _set(hint=None), "fields"),
    "a frame too large": ("guessMade", 0, _set(padding="x" * 33_000), "frames"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_each_breach_is_found(frames: list[Frame], name: str) -> None:
    """Whatever is told wrongly to everybody is found as a breach of its rule."""
    kind, nth, change, rule = SPOILT[name]
    alter(frames, kind, change, nth)
    assert rule in rules_broken(frames)


def test_a_needless_rematch_is_found(frames: list[Frame]) -> None:
    """R2.4"""
    intros = [frame.content for frame in frames if frame.content.get("type") == "roundIntro"]
    first = [pairing["players"] for pairing in intros[0]["pairings"]]
    for intro in intros:
        if intro["round"] == 2:
            for pairing, players in zip(intro["pairings"], first, strict=True):
                pairing["players"] = players
    assert "R2.4" in rules_broken(frames)


def test_a_second_bye_running_is_found() -> None:
    """R2.3"""
    for seed in range(20):
        frames = MadeUpTournament(seed).frames
        intros = {
            frame.content["round"]: frame.content
            for frame in frames
            if frame.content.get("type") == "roundIntro"
        }
        running = [
            one for one in intros if "bye" in intros[one] and "bye" in intros.get(one + 1, {})
        ]
        if not running:
            continue
        bye = intros[running[0]]["bye"]
        for frame in frames:
            if (
                frame.content.get("type") == "roundIntro"
                and frame.content["round"] == running[0] + 1
            ):
                frame.content["bye"] = bye
        assert "R2.3" in rules_broken(frames)
        return
    pytest.fail("no tournament with two byes running was made up")


def test_an_event_that_nobody_heard_is_found(frames: list[Frame]) -> None:
    """Versions grow by exactly one."""
    kept = [frame for frame in frames if frame.content.get("type") != "turnSkipped"]
    assert "versions" in rules_broken(kept)


def test_an_event_that_one_player_did_not_hear_is_found(frames: list[Frame]) -> None:
    """Nothing is lost on a connection that stays open."""
    lost = next(
        frame
        for frame in frames
        if frame.player == "p2" and frame.content.get("type") == "roundEnded"
    )
    frames.remove(lost)
    found = judge(frames)
    assert [breach.rule for breach in found] == ["versions"]
    assert found[0].what.startswith("p2")


@pytest.mark.parametrize("kind", ["duelStarted", "duelEnded"])
def test_a_start_or_end_that_a_player_did_not_hear_is_found(frames: list[Frame], kind: str) -> None:
    """Both players hear of their duel from its start to its end."""
    lost = next(
        frame for frame in frames if frame.player == "p2" and frame.content.get("type") == kind
    )
    frames.remove(lost)
    assert rules_broken(frames) == {"messages"}


def test_an_event_that_only_a_snapshot_made_up_for_is_found(frames: list[Frame]) -> None:
    """`sync` repairs a lost push, but on an open connection none may be lost."""
    place, started = next(
        (place, frame)
        for place, frame in enumerate(frames)
        if frame.content.get("type") == "duelStarted"
    )
    duel = started.content["duel"]
    ended = next(
        place
        for place, frame in enumerate(frames)
        if frame.player == started.player and frame.content.get("type") == "duelEnded"
    )
    end = frames.pop(ended).content
    rows = [
        {
            "skipped": one.content["type"] == "turnSkipped",
            **{
                name: one.content[name]
                for name in ("turn", "playerId", "word", "letters", "marks")
                if name in one.content
            },
        }
        for one in frames[place:ended]
        if one.player == started.player and one.content.get("duelId") == duel["duelId"]
        if not one.sent
    ]
    ending = {name: end[name] for name in ("outcome", "winner", "word", "letters")}
    view = {**duel, "version": end["version"], "rows": rows, "ended": ending}
    snapshot = {
        "type": "snapshot",
        "serverTime": 1,
        "requestId": "x",
        "profile": {"playerId": started.player, "nickname": "A", "rating": 1000, "games": 0},
        "duels": [view],
    }
    frames[ended:ended] = [
        Frame(started.player, True, {"action": "sync", "requestId": "x"}),
        Frame(started.player, False, snapshot),
    ]
    assert rules_broken(frames) == {"messages", "versions"}


def test_two_accounts_of_one_event_are_found(frames: list[Frame]) -> None:
    """All who hear an event hear the same."""
    one = next(frame for frame in frames if frame.content.get("type") == "roundIntro")
    one.content["endsAt"] += 1
    assert rules_broken(frames) == {"versions"}


def test_an_action_without_an_answer_is_found(frames: list[Frame]) -> None:
    """Every action gets exactly one direct answer."""
    frames.append(Frame("p0", True, {"action": "ping", "requestId": "late"}))
    assert judge(frames, seconds_later=29) == []
    assert {breach.rule for breach in judge(frames, seconds_later=31)} == {"answers"}


@pytest.mark.parametrize("request_id", ["never asked", "r1"])
def test_a_surplus_answer_is_found(frames: list[Frame], request_id: str) -> None:
    """Every action gets exactly one direct answer."""
    answer = {"type": "pong", "serverTime": 1, "requestId": request_id}
    frames.append(Frame("p0", False, answer))
    assert rules_broken(frames) == {"answers"}


def test_an_answer_of_the_wrong_type_is_found(frames: list[Frame]) -> None:
    """`ping` is answered by `pong`."""
    frames.append(Frame("p0", True, {"action": "sync", "requestId": "x"}))
    frames.append(Frame("p0", False, {"type": "pong", "serverTime": 1, "requestId": "x"}))
    assert rules_broken(frames) == {"answers"}


@pytest.mark.parametrize(
    ("error", "faulty"),
    [
        pytest.param({"code": "stale_turn", "message": "Over."}, False, id="sound"),
        pytest.param({"code": "internal", "message": "Broken."}, True, id="internal"),
        pytest.param({"code": "no_such_code", "message": "What?"}, True, id="unknown code"),
        pytest.param({"code": "wrong_length", "message": "Long."}, True, id="no details"),
        pytest.param(
            {"code": "wrong_length", "message": "-", "details": {"expected": 5, "got": 6}},
            False,
            id="with details",
        ),
        pytest.param({"code": "stale_turn", "message": ""}, True, id="no message"),
    ],
)
def test_errors_are_judged(frames: list[Frame], error: Content, faulty: bool) -> None:
    """Error codes and their details."""
    frames.append(Frame("p0", True, {"action": "guess", "requestId": "x"}))
    frames.append(Frame("p0", False, {"type": "error", "requestId": "x", **error}))
    assert ("errors" in rules_broken(frames)) == faulty


@pytest.mark.parametrize(
    "leak",
    [
        pytest.param(lambda duel, word: duel.update(word=word), id="as a word"),
        pytest.param(lambda duel, word: duel.update(letters=list(word.upper())), id="as letters"),
        pytest.param(lambda duel, word: duel.update(secret={"hidden": [word]}), id="deep inside"),
    ],
)
def test_a_word_told_too_early_is_found(frames: list[Frame], leak: Any) -> None:
    """R3.10"""
    word = next(one.content["word"] for one in frames if one.content.get("type") == "duelEnded")
    alter(frames, "duelStarted", lambda content: leak(content["duel"], word))
    assert "R3.10" in rules_broken(frames)


def test_a_nickname_that_happens_to_be_the_word_is_no_breach(frames: list[Frame]) -> None:
    """R3.10: only chance made them equal."""
    word = next(one.content["word"] for one in frames if one.content.get("type") == "duelEnded")
    alter(
        frames,
        "tournamentStarted",
        lambda content: content["tournament"]["players"][0].update(nickname=word),
    )
    assert judge(frames) == []


def test_a_token_told_to_others_is_found(frames: list[Frame]) -> None:
    """The token is a secret of the player."""
    alter(frames, "roundIntro", lambda content: content.update(by="token-of-p4"))
    assert rules_broken(frames) == {"token"}


def test_a_word_that_comes_twice_is_found(frames: list[Frame]) -> None:
    """R9.3"""
    words = {
        one.content["duelId"]: one.content["word"]
        for one in frames
        if one.content.get("type") == "duelEnded"
    }
    (_, word), *others = words.items()
    duel, replaced = next((duel, other) for duel, other in others if len(other) == len(word))
    for frame in frames:
        if frame.content.get("duelId") == duel and frame.content.get("word") == replaced:
            frame.content.update(word=word, letters=list(word))
    assert rules_broken(frames) == {"R9.3"}


def test_a_duel_seen_while_playing_is_found(frames: list[Frame]) -> None:
    """`watch` is for those whose own duel is over."""
    place, started = next(
        (place, frame)
        for place, frame in enumerate(frames)
        if frame.content.get("type") == "duelStarted"
        and frame.player not in frame.content["duel"]["players"][1:]
    )
    stranger = next(
        frame.player
        for frame in frames[place:]
        if frame.content.get("type") == "duelStarted"
        and frame.player not in started.content["duel"]["players"]
    )
    frames.insert(place + 1, Frame(stranger, False, started.content))
    assert "watch" in rules_broken(frames)


def test_a_snapshot_that_differs_from_the_events_is_found(frames: list[Frame]) -> None:
    """A snapshot carries the versions it stands at."""
    place, started = next(
        (place, frame)
        for place, frame in enumerate(frames)
        if frame.content.get("type") == "duelStarted"
    )
    view = {**started.content["duel"], "deadline": 5}
    snapshot = {
        "type": "snapshot",
        "serverTime": 1,
        "requestId": "x",
        "profile": {"playerId": started.player, "nickname": "A", "rating": 1, "games": 0},
        "duels": [view],
    }
    question = {"action": "sync", "requestId": "x"}
    frames[place + 1 : place + 1] = [
        Frame(started.player, True, question),
        Frame(started.player, False, snapshot),
    ]
    assert rules_broken(frames) == {"snapshot"}
