"""Every message of the server as clients read it."""

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import get_args

import pytest

from wordle_tournament.ports import messages
from wordle_tournament.ports.messages import Frame, Message
from wordle_tournament.rules.duel import Outcome
from wordle_tournament.rules.ids import (
    DuelId,
    GroupCode,
    LobbyId,
    PlayerId,
    TournamentId,
    draw_id,
    draw_tournament_id,
)
from wordle_tournament.rules.languages import LANGUAGES
from wordle_tournament.rules.nicknames import MOST_CODE_POINTS
from wordle_tournament.rules.refusals import Code
from wordle_tournament.rules.tournament import Phase, duel_id
from wordle_tournament.rules.views import (
    DuelView,
    EndingView,
    EntrantView,
    GroupView,
    LanguageView,
    LobbyView,
    MemberView,
    PairView,
    PlayerView,
    ProfileView,
    RankView,
    ReplayRowView,
    ReplayView,
    ResultView,
    RowView,
    StandingView,
    TournamentView,
    TurnView,
    view_language,
)
from wordle_tournament.rules.words import Mark
from wordle_tournament.usecases.profiles import HEAVIEST_PAGE
from wordle_tournament.wire.outgoing import MOST_BYTES, FrameTooLargeError, encode

AT = datetime(2026, 1, 1, 0, 0, 1, 234_000, tzinfo=UTC)
MS = 1767225601234
ANN, BEN = PlayerId("ann"), PlayerId("ben")
CUP, DUEL = TournamentId("cup"), DuelId("cup-1-0")

PROFILE = ProfileView(ANN, "Änne", 1000, 0)
PROFILE_JSON = {"playerId": "ann", "nickname": "Änne", "rating": 1000, "games": 0}
ENGLISH = LanguageView("en", "English", "English", ("a", "b"), (("a",), ("b",)))
ENGLISH_JSON = {
    "code": "en",
    "name": "English",
    "endonym": "English",
    "letters": ["a", "b"],
    "keyboard": [["a"], ["b"]],
}
LOBBY = LobbyView(LobbyId("l1"), 3, "en", 1000, 200, 8, (PlayerView(ANN, "Änne"),), ENGLISH)
LOBBY_JSON = {
    "lobbyId": "l1",
    "version": 3,
    "language": "en",
    "rating": 1000,
    "ratingWindow": 200,
    "seats": 8,
    "players": [{"playerId": "ann", "nickname": "Änne"}],
    "alphabet": ENGLISH_JSON,
}
GROUP = GroupView(
    GroupCode("g1"), "https://x/g1", 2, "en", ANN, (MemberView(ANN, "Änne", True, False),)
)
GROUP_JSON = {
    "code": "g1",
    "inviteUrl": "https://x/g1",
    "version": 2,
    "language": "en",
    "leader": "ann",
    "members": [{"playerId": "ann", "nickname": "Änne", "connected": True, "playing": False}],
}
ENTRANT = EntrantView(ANN, "Änne", 1000, 3, True, False, None, None, None)
ENTRANT_JSON = {
    "playerId": "ann",
    "nickname": "Änne",
    "rating": 1000,
    "lives": 3,
    "connected": True,
    "left": False,
}
OUT = EntrantView(BEN, "Ben", 1010, 0, False, True, AT, 8, -25)
OUT_JSON = {
    "playerId": "ben",
    "nickname": "Ben",
    "rating": 1010,
    "lives": 0,
    "connected": False,
    "left": True,
    "backBy": MS,
    "place": 8,
    "ratingChange": -25,
}
PAIR = PairView(DUEL, (ANN, BEN))
PAIR_JSON = {"duelId": "cup-1-0", "players": ["ann", "ben"]}
TOURNAMENT = TournamentView(CUP, 4, "en", 1, Phase.INTRO, (ENTRANT, OUT), (PAIR,), ANN, AT, True)
TOURNAMENT_JSON = {
    "tournamentId": "cup",
    "version": 4,
    "language": "en",
    "round": 1,
    "phase": "intro",
    "players": [ENTRANT_JSON, OUT_JSON],
    "pairings": [PAIR_JSON],
    "bye": "ann",
    "introEndsAt": MS,
    "watching": True,
}
ROWS = (
    RowView(1, ANN, True),
    RowView(2, BEN, False, "bo", ("b", "oʻ"), (Mark.CORRECT, Mark.ABSENT), AT),
)
ROWS_JSON = [
    {"turn": 1, "playerId": "ann", "skipped": True},
    {
        "turn": 2,
        "playerId": "ben",
        "skipped": False,
        "word": "bo",
        "letters": ["b", "oʻ"],
        "marks": ["correct", "absent"],
        "receivedAt": MS,
    },
]
RUNNING = DuelView(DUEL, CUP, 5, 1, "uz", 4, (ANN, BEN), 3, ANN, AT, ROWS, None)
RUNNING_JSON = {
    "duelId": "cup-1-0",
    "tournamentId": "cup",
    "version": 5,
    "round": 1,
    "language": "uz",
    "length": 4,
    "players": ["ann", "ben"],
    "turn": 3,
    "playerId": "ann",
    "deadline": MS,
    "rows": ROWS_JSON,
}
ENDING = EndingView(Outcome.SOLVED, BEN, "bola", ("b", "o", "l", "a"))
ENDED = DuelView(DUEL, CUP, 6, 1, "uz", 4, (ANN, BEN), None, None, None, (), ENDING)
ENDED_JSON = {
    "duelId": "cup-1-0",
    "tournamentId": "cup",
    "version": 6,
    "round": 1,
    "language": "uz",
    "length": 4,
    "players": ["ann", "ben"],
    "rows": [],
    "ended": {
        "outcome": "solved",
        "winner": "ben",
        "word": "bola",
        "letters": ["b", "o", "l", "a"],
    },
}
STANDINGS = (StandingView(ANN, 2, None, None, None), StandingView(BEN, 0, 8, -25, 985))
STANDINGS_JSON = [
    {"playerId": "ann", "lives": 2},
    {"playerId": "ben", "lives": 0, "place": 8, "ratingChange": -25, "rating": 985},
]
RESULT = ResultView(CUP, AT, "en", 9, 1, 25, 1025)
RESULT_JSON = {
    "tournamentId": "cup",
    "endedAt": MS,
    "language": "en",
    "rounds": 9,
    "place": 1,
    "ratingChange": 25,
    "rating": 1025,
    "duels": [],
}
REPLAY = ReplayView(
    duel_id=DUEL,
    round=1,
    players=(ANN, BEN),
    outcome=Outcome.DRAW,
    winner=None,
    word="aba",
    letters=("a", "b", "a"),
    rows=(
        ReplayRowView(ANN, "ab", ("a", "b"), (Mark.CORRECT, Mark.PRESENT)),
        ReplayRowView(BEN),
    ),
)
REPLAY_JSON = {
    "duelId": DUEL,
    "round": 1,
    "players": ["ann", "ben"],
    "outcome": "draw",
    "word": "aba",
    "letters": ["a", "b", "a"],
    "rows": [
        {
            "playerId": "ann",
            "word": "ab",
            "letters": ["a", "b"],
            "marks": ["correct", "present"],
        },
        {"playerId": "ben"},
    ],
}
RANK = RankView(1, ANN, "Änne", 1025, 1)
RANK_JSON = {"rank": 1, "playerId": "ann", "nickname": "Änne", "rating": 1025, "games": 1}

MESSAGES: list[tuple[Message, dict[str, object]]] = [
    (
        messages.Welcome(
            protocol=1,
            server_time=AT,
            token="secret",
            languages=(ENGLISH,),
            profile=PROFILE,
            lobby=LOBBY,
            group=GROUP,
            tournament=TOURNAMENT,
            duels=(RUNNING, ENDED),
        ),
        {
            "type": "welcome",
            "protocol": 1,
            "serverTime": MS,
            "token": "secret",
            "languages": [ENGLISH_JSON],
            "profile": PROFILE_JSON,
            "lobby": LOBBY_JSON,
            "group": GROUP_JSON,
            "tournament": TOURNAMENT_JSON,
            "duels": [RUNNING_JSON, ENDED_JSON],
        },
    ),
    (
        messages.Snapshot(
            server_time=AT,
            profile=PROFILE,
            lobby=None,
            group=None,
            tournament=None,
            duels=(),
        ),
        {"type": "snapshot", "serverTime": MS, "profile": PROFILE_JSON, "duels": []},
    ),
    (messages.Pong(AT), {"type": "pong", "serverTime": MS}),
    (messages.Profile(PROFILE), {"type": "profile", "profile": PROFILE_JSON}),
    (messages.LobbyChanged(LOBBY), {"type": "lobby", "lobby": LOBBY_JSON}),
    (messages.Left("lobby", LobbyId("l1")), {"type": "left", "from": "lobby", "id": "l1"}),
    (messages.Left("tournament", CUP), {"type": "left", "from": "tournament", "id": "cup"}),
    (
        messages.LobbyLeft(LobbyId("l1"), "disconnected"),
        {"type": "lobbyLeft", "lobbyId": "l1", "reason": "disconnected"},
    ),
    (messages.GroupChanged(GROUP), {"type": "group", "group": GROUP_JSON}),
    (
        messages.GroupLeft(GroupCode("g1"), "removed"),
        {"type": "groupLeft", "code": "g1", "reason": "removed"},
    ),
    (
        messages.TournamentStarted(TOURNAMENT),
        {"type": "tournamentStarted", "tournament": TOURNAMENT_JSON},
    ),
    (
        messages.RoundIntro(CUP, 4, 2, (PAIR,), BEN, AT),
        {
            "type": "roundIntro",
            "tournamentId": "cup",
            "version": 4,
            "round": 2,
            "pairings": [PAIR_JSON],
            "bye": "ben",
            "endsAt": MS,
        },
    ),
    (
        messages.RoundIntro(CUP, 4, 2, (), None, AT),
        {
            "type": "roundIntro",
            "tournamentId": "cup",
            "version": 4,
            "round": 2,
            "pairings": [],
            "endsAt": MS,
        },
    ),
    (messages.DuelStarted(RUNNING), {"type": "duelStarted", "duel": RUNNING_JSON}),
    (
        messages.GuessMade(
            duel_id=DUEL,
            version=7,
            turn=2,
            player_id=BEN,
            word="bo",
            letters=("b", "oʻ"),
            marks=(Mark.PRESENT, Mark.ABSENT),
            received_at=AT,
            next=TurnView(3, ANN, AT),
        ),
        {
            "type": "guessMade",
            "duelId": "cup-1-0",
            "version": 7,
            "turn": 2,
            "playerId": "ben",
            "word": "bo",
            "letters": ["b", "oʻ"],
            "marks": ["present", "absent"],
            "receivedAt": MS,
            "next": {"turn": 3, "playerId": "ann", "deadline": MS},
        },
    ),
    (
        messages.GuessMade(
            duel_id=DUEL,
            version=7,
            turn=12,
            player_id=BEN,
            word="b",
            letters=("b",),
            marks=(Mark.CORRECT,),
            received_at=AT,
            next=None,
        ),
        {
            "type": "guessMade",
            "duelId": "cup-1-0",
            "version": 7,
            "turn": 12,
            "playerId": "ben",
            "word": "b",
            "letters": ["b"],
            "marks": ["correct"],
            "receivedAt": MS,
        },
    ),
    (
        messages.TurnSkipped(DUEL, 8, 3, ANN, TurnView(4, BEN, AT)),
        {
            "type": "turnSkipped",
            "duelId": "cup-1-0",
            "version": 8,
            "turn": 3,
            "playerId": "ann",
            "next": {"turn": 4, "playerId": "ben", "deadline": MS},
        },
    ),
    (
        messages.TurnSkipped(DUEL, 8, 12, ANN, None),
        {
            "type": "turnSkipped",
            "duelId": "cup-1-0",
            "version": 8,
            "turn": 12,
            "playerId": "ann",
        },
    ),
    (
        messages.DuelEnded(DUEL, 9, Outcome.LEFT, BEN, "bola", ("b", "o", "l", "a")),
        {
            "type": "duelEnded",
            "duelId": "cup-1-0",
            "version": 9,
            "outcome": "left",
            "winner": "ben",
            "word": "bola",
            "letters": ["b", "o", "l", "a"],
        },
    ),
    (
        messages.DuelEnded(DUEL, 9, Outcome.DRAW, None, "bola", ()),
        {
            "type": "duelEnded",
            "duelId": "cup-1-0",
            "version": 9,
            "outcome": "draw",
            "word": "bola",
            "letters": [],
        },
    ),
    (
        messages.PlayerDisconnected(CUP, 10, ANN, AT),
        {
            "type": "playerDisconnected",
            "tournamentId": "cup",
            "version": 10,
            "playerId": "ann",
            "backBy": MS,
        },
    ),
    (
        messages.PlayerReconnected(CUP, 11, ANN),
        {"type": "playerReconnected", "tournamentId": "cup", "version": 11, "playerId": "ann"},
    ),
    (
        messages.PlayerLeft(CUP, 12, ANN),
        {"type": "playerLeft", "tournamentId": "cup", "version": 12, "playerId": "ann"},
    ),
    (
        messages.RoundEnded(CUP, 13, 1, STANDINGS),
        {
            "type": "roundEnded",
            "tournamentId": "cup",
            "version": 13,
            "round": 1,
            "standings": STANDINGS_JSON,
        },
    ),
    (
        messages.TournamentEnded(CUP, 14, STANDINGS),
        {
            "type": "tournamentEnded",
            "tournamentId": "cup",
            "version": 14,
            "standings": STANDINGS_JSON,
        },
    ),
    (
        messages.History((RESULT,), "older"),
        {"type": "history", "games": [RESULT_JSON], "before": "older"},
    ),
    (
        messages.History((replace(RESULT, duels=(REPLAY,)),), None),
        {"type": "history", "games": [{**RESULT_JSON, "duels": [REPLAY_JSON]}]},
    ),
    (messages.History((), None), {"type": "history", "games": []}),
    (
        messages.Leaderboard((RANK,), RANK),
        {"type": "leaderboard", "players": [RANK_JSON], "you": RANK_JSON},
    ),
    (messages.Leaderboard((), None), {"type": "leaderboard", "players": []}),
    (messages.Replaced(), {"type": "replaced"}),
    (
        messages.Error(Code.DEADLINE_PASSED, "too late", MappingProxyType({"lateByMs": 3})),
        {
            "type": "error",
            "code": "deadline_passed",
            "message": "too late",
            "details": {"lateByMs": 3},
        },
    ),
    (
        messages.Error(Code.INTERNAL, "something broke"),
        {"type": "error", "code": "internal", "message": "something broke"},
    ),
]


@pytest.mark.parametrize(
    ("message", "expected"),
    MESSAGES,
    ids=[f"{message.type}-{place}" for place, (message, _) in enumerate(MESSAGES)],
)
def test_a_message_is_written_as_the_protocol_says(
    message: Message, expected: dict[str, object]
) -> None:
    assert json.loads(encode(Frame(message))) == expected


def test_every_kind_of_message_is_among_these() -> None:
    assert {type(message) for message, _ in MESSAGES} == set(get_args(Message))


def test_a_direct_answer_carries_the_request_id_after_its_type() -> None:
    """The text is compact and not escaped."""
    assert encode(Frame(messages.Profile(PROFILE), "r-1")) == (
        '{"type":"profile","requestId":"r-1",'
        '"profile":{"playerId":"ann","nickname":"Änne","rating":1000,"games":0}}'
    )


def test_an_empty_request_id_is_one_too() -> None:
    assert encode(Frame(messages.Replaced(), "")) == '{"type":"replaced","requestId":""}'


def test_details_stand_as_they_are() -> None:
    details = {"members": [{"player_id": "x", "why": None}], "codes": (Code.GROUP_FULL,)}
    text = encode(Frame(messages.Error(Code.MEMBERS_NOT_READY, "not all", details)))
    assert json.loads(text)["details"] == {
        "members": [{"player_id": "x", "why": None}],
        "codes": ["group_full"],
    }


def test_times_are_whole_milliseconds_and_never_rounded_up() -> None:
    just_before = AT + timedelta(microseconds=999)
    assert json.loads(encode(Frame(messages.Pong(just_before))))["serverTime"] == MS


def test_a_time_without_a_zone_is_a_fault() -> None:
    with pytest.raises(TypeError):
        encode(Frame(messages.Pong(datetime(2026, 1, 1))))  # noqa: DTZ001 - the fault itself


def test_what_has_no_form_in_json_is_a_fault() -> None:
    with pytest.raises(TypeError, match="set"):
        encode(Frame(messages.Error(Code.INTERNAL, "x", {"bad": {1}})))


def test_a_frame_that_the_gateway_would_not_carry_is_a_fault() -> None:
    fits = messages.Error(Code.INTERNAL, "ж" * ((MOST_BYTES - 100) // 2))
    assert len(encode(Frame(fits)).encode()) <= MOST_BYTES
    with pytest.raises(FrameTooLargeError, match="error"):
        encode(Frame(messages.Error(Code.INTERNAL, "ж" * (MOST_BYTES // 2))))


LONG_NAME = "\U00010400" * MOST_CODE_POINTS
LONG_ID = "x" * 24


def test_the_longest_leaderboard_fits_into_a_frame() -> None:
    ranks = [RankView(100, PlayerId(LONG_ID), LONG_NAME, -1000, 100_000)] * 100
    encode(Frame(messages.Leaderboard(tuple(ranks), ranks[0]), "r" * 64))


def test_the_longest_history_fits_into_a_frame() -> None:
    result = ResultView(TournamentId(LONG_ID), AT, "en", 99, 8, -25, -1000)
    encode(Frame(messages.History((result,) * 50, LONG_ID), "r" * 64))


def a_longest_replay(rows: int) -> ReplayView:
    player = PlayerId(draw_id(random.Random(1)))
    word = ("oʻ",) * 6
    row = ReplayRowView(player, "".join(word), word, (Mark.PRESENT,) * 6)
    return ReplayView(
        duel_id=duel_id(draw_tournament_id(random.Random(1), AT), 12, 3),
        round=12,
        players=(player, player),
        outcome=Outcome.SOLVED,
        winner=player,
        word="".join(word),
        letters=word,
        rows=(row,) * rows,
    )


@pytest.mark.parametrize(("duels", "rows", "games"), [(12, 12, 1), (8, 1, 7), (1, 12, 12)])
def test_the_heaviest_page_of_history_fits_into_a_frame(duels: int, rows: int, games: int) -> None:
    """No player plays more than twelve duels in a tournament."""
    tournament = draw_tournament_id(random.Random(1), AT)
    result = ResultView(tournament, AT, "uz", 12, 8, -25, -1000, (a_longest_replay(rows),) * duels)
    lightest = ResultView(tournament, AT, "uz", 12, 8, -25, -1000)
    left = HEAVIEST_PAGE - games * result.weight
    assert 0 <= left <= 12
    page = (result,) * games + (lightest,) * min(left, 50 - games)

    encode(Frame(messages.History(page, tournament), "r" * 64))


def test_the_longest_welcome_fits_into_a_frame() -> None:
    """Four duels of twelve rows, watched; a lobby and a tournament never stand together (R6.4)."""
    word = ("ғ",) * 6
    player = PlayerId(LONG_ID)
    row = RowView(12, player, False, "".join(word), word, (Mark.PRESENT,) * 6, AT)
    duel = DuelView(
        duel_id=DuelId(LONG_ID),
        tournament_id=TournamentId(LONG_ID),
        version=99,
        round=99,
        language="kk",
        length=6,
        players=(player, player),
        turn=12,
        player_id=player,
        deadline=AT,
        rows=(row,) * 11,
        ended=None,
    )
    entrant = EntrantView(player, LONG_NAME, -1000, 3, False, True, AT, 8, -25)
    tournament = TournamentView(
        tournament_id=TournamentId(LONG_ID),
        version=999,
        language="kk",
        round=99,
        phase=Phase.INTRO,
        players=(entrant,) * 8,
        pairings=(PairView(DuelId(LONG_ID), (player, player)),) * 4,
        bye=player,
        intro_ends_at=AT,
        watching=True,
    )
    group = GroupView(
        code=GroupCode(LONG_ID),
        invite_url="https://" + "x" * 200,
        version=999,
        language="kk",
        leader=player,
        members=(MemberView(player, LONG_NAME, False, False),) * 8,
    )
    welcome = messages.Welcome(
        protocol=1,
        server_time=AT,
        token="t" * 400,
        languages=tuple(map(view_language, LANGUAGES)),
        profile=ProfileView(player, LONG_NAME, -1000, 100_000),
        lobby=None,
        group=group,
        tournament=tournament,
        duels=(duel,) * 4,
    )
    encode(Frame(welcome, "r" * 64))
