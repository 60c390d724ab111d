"""A made-up tournament as eight players hear it, frame by frame, to be spoilt by tests."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from wordle_tools.referee import oracle
from wordle_tools.referee.evidence import Breach
from wordle_tools.referee.verdict import Referee

Content = dict[str, Any]

PLAYERS = tuple(f"p{number}" for number in range(8))
RATINGS = dict(zip(PLAYERS, (1000, 1010, 1020, 990, 980, 1100, 950, 1000), strict=True))
TOURNAMENT = "t1"
FIRST_GUESS = {4: "zzzz", 5: "zzzzz", 6: "zzzzzz"}


@dataclass(slots=True)
class Frame:
    """A frame that one player sent or received."""

    player: str
    sent: bool
    content: Content


class MadeUpTournament:
    """Plays a tournament in which everything is right; `frames` is what was said.

    In each duel the first player errs, the second player lets the turn pass, and the first then
    solves, except that duels whose turn it is in `draws` are drawn after twelve skipped turns.
    `leaves` is a player who leaves as soon as the duels of the third round have begun.
    """

    def __init__(
        self, seed: int = 1, draws: tuple[int, ...] = (), leaver: str | None = None
    ) -> None:
        self.frames: list[Frame] = []
        self._chance = random.Random(seed)
        self._draws = draws
        self._leaver = leaver
        self._version = 0
        self._clock = 1_000_000
        self._lives = dict.fromkeys(PLAYERS, 3)
        self._places: dict[str, int] = {}
        self._gone: set[str] = set()
        self._duels_played = 0
        self._requests = 0
        self._words = _words()
        self._play()

    def _play(self) -> None:
        for player in PLAYERS:
            self._ask(player, "hello", _welcome(player), protocol=1)
        for number, player in enumerate(PLAYERS, start=1):
            lobby = {"type": "lobby", "lobby": _lobby(PLAYERS[:number], version=number)}
            self._ask(player, "join", lobby, language="en")
            for other in PLAYERS[: number - 1]:
                self._tell(other, lobby)
        self._tell_all(
            {
                "type": "tournamentStarted",
                "tournament": {
                    "tournamentId": TOURNAMENT,
                    "version": self._next_version(),
                    "language": "en",
                    "round": 0,
                    "phase": "intro",
                    "players": [
                        {**_player(one), "rating": RATINGS[one], "lives": 3, "connected": True}
                        for one in PLAYERS
                    ],
                },
            }
        )
        number = 0
        before: tuple[set[frozenset[str]], str | None] = (set(), None)
        while len(self._still_in) > 1:
            number += 1
            before = self._round(number, *before)
        self._tell_all({**self._event("tournamentEnded"), "standings": self._standings(PLAYERS)})

    @property
    def _still_in(self) -> list[str]:
        return [one for one in PLAYERS if one not in self._places and one not in self._gone]

    def _round(
        self, number: int, met: set[frozenset[str]], last_bye: str | None
    ) -> tuple[set[frozenset[str]], str | None]:
        still_in = self._still_in
        pairs, bye = self._pair(still_in, met, last_bye)
        pairings = [
            {"duelId": f"{TOURNAMENT}.{number}.{place}", "players": list(pair)}
            for place, pair in enumerate(pairs)
        ]
        intro = {**self._event("roundIntro"), "round": number, "pairings": pairings}
        if bye:
            intro["bye"] = bye
        self._tell_all({**intro, "endsAt": self._clock + 6000})
        for place, (first, second) in enumerate(pairs):
            self._duel(number, f"{TOURNAMENT}.{number}.{place}", first, second)
        fates: dict[str, oracle.Fate] = {
            one: "left" if one in self._gone else "survived" if self._lives[one] else "out"
            for one in still_in
        }
        self._places |= oracle.places(fates)
        standings = self._standings(still_in)
        self._tell_all({**self._event("roundEnded"), "round": number, "standings": standings})
        return {frozenset(pair) for pair in pairs}, bye

    def _pair(
        self, still_in: list[str], met: set[frozenset[str]], last_bye: str | None
    ) -> tuple[list[tuple[str, str]], str | None]:
        while True:
            order = self._chance.sample(still_in, len(still_in))
            bye = order.pop() if len(order) % 2 else None
            pairs = list(zip(order[::2], order[1::2], strict=True))
            again = met & {frozenset(pair) for pair in pairs}
            if (bye is None or bye != last_bye) and not (again and len(still_in) > 2):
                return pairs, bye

    def _duel(self, round_number: int, duel_id: str, first: str, second: str) -> None:
        word = next(self._words)
        self._duels_played += 1
        version = 1
        view = {
            "duelId": duel_id,
            "tournamentId": TOURNAMENT,
            "version": version,
            "round": round_number,
            "language": "en",
            "length": len(word),
            "players": [first, second],
            "turn": 1,
            "playerId": first,
            "deadline": self._clock + 30_000,
            "rows": [],
        }
        both = (first, second)
        losers: tuple[str, ...] = both
        self._tell(first, {"type": "duelStarted", "duel": view})
        self._tell(second, {"type": "duelStarted", "duel": view})
        if round_number == 3 and self._leaver in both:
            self._leave(duel_id, first, second, word)
            return
        if self._duels_played in self._draws:
            for turn in range(1, 13):
                version += 1
                self._skip(duel_id, version, turn, both)
            outcome = "draw"
        else:
            self._guess(duel_id, 2, 1, both, FIRST_GUESS[len(word)], word)
            self._skip(duel_id, 3, 2, both)
            self._guess(duel_id, 4, 3, both, word, word)
            version, outcome, losers = 4, "solved", (second,)
        end = self._duel_event("duelEnded", duel_id, version + 1)
        end |= {"outcome": outcome, "word": word, "letters": list(word)}
        if outcome == "solved":
            end["winner"] = first
        self._tell(first, end)
        self._tell(second, end)
        for loser in losers:
            self._lives[loser] -= 1

    def _leave(self, duel_id: str, first: str, second: str, word: str) -> None:
        assert self._leaver is not None
        winner = second if first == self._leaver else first
        self._gone.add(self._leaver)
        left = {"type": "left", "from": "tournament", "id": TOURNAMENT}
        self._ask(self._leaver, "leave", left)
        self._tell_all({**self._event("playerLeft"), "playerId": self._leaver})
        end = self._duel_event("duelEnded", duel_id, 2)
        end |= {"outcome": "left", "winner": winner, "word": word, "letters": list(word)}
        self._tell(winner, end)

    def _guess(
        self, duel_id: str, version: int, turn: int, both: tuple[str, str], guess: str, word: str
    ) -> None:
        player = both[(turn - 1) % 2]
        self._clock += 1000
        made = self._duel_event("guessMade", duel_id, version)
        made |= {
            "turn": turn,
            "playerId": player,
            "word": guess,
            "letters": list(guess),
            "marks": list(oracle.marks(word, guess)),
            "receivedAt": self._clock,
        }
        if guess != word:
            made["next"] = self._next_turn(turn, both)
        self._ask(player, "guess", made, duelId=duel_id, turn=turn, word=guess)
        self._tell(both[turn % 2], made)

    def _skip(self, duel_id: str, version: int, turn: int, both: tuple[str, str]) -> None:
        self._clock += 31_000
        skipped = self._duel_event("turnSkipped", duel_id, version)
        skipped |= {"turn": turn, "playerId": both[(turn - 1) % 2]}
        if turn < 12:
            skipped["next"] = self._next_turn(turn, both)
        for player in both:
            self._tell(player, skipped)

    def _next_turn(self, turn: int, both: tuple[str, str]) -> Content:
        return {"turn": turn + 1, "playerId": both[turn % 2], "deadline": self._clock + 30_000}

    def _standings(self, players: list[str] | tuple[str, ...]) -> list[Content]:
        standings = []
        for one in players:
            standing: Content = {"playerId": one, "lives": self._lives[one]}
            if one in self._places:
                change = oracle.rating_change(one, RATINGS, self._places)
                standing |= {"place": self._places[one], "ratingChange": change}
                standing["rating"] = RATINGS[one] + change
            standings.append(standing)
        return standings

    def _event(self, kind: str) -> Content:
        return {"type": kind, "tournamentId": TOURNAMENT, "version": self._next_version()}

    def _duel_event(self, kind: str, duel_id: str, version: int) -> Content:
        return {"type": kind, "duelId": duel_id, "version": version}

    def _next_version(self) -> int:
        self._version += 1
        return self._version

    def _ask(self, player: str, action: str, answer: Content, **fields: object) -> None:
        self._requests += 1
        request_id = f"r{self._requests}"
        question = {"action": action, "requestId": request_id, **fields}
        self.frames.append(Frame(player, True, question))
        self._tell(player, {**answer, "requestId": request_id})

    def _tell(self, player: str, content: Content) -> None:
        self.frames.append(Frame(player, False, copy.deepcopy(content)))

    def _tell_all(self, content: Content) -> None:
        for player in PLAYERS:
            if player not in self._gone:
                self._tell(player, content)


def judge(frames: list[Frame], *, seconds_later: float = 0.0) -> list[Breach]:
    """Let a referee hear the frames, one connection a player, and the verdict some time later."""
    now = 0.0
    referee = Referee(clock=lambda: now)
    witnesses = {player: referee.seat(player) for player in PLAYERS}
    for witness in witnesses.values():
        witness.opened(1)
    for frame in frames:
        text = json.dumps(frame.content)
        witness = witnesses[frame.player]
        (witness.sent if frame.sent else witness.received)(1, text)
    now = seconds_later
    return referee.breaches()


def rules_broken(frames: list[Frame]) -> set[str]:
    """The rules that a referee finds broken."""
    return {breach.rule for breach in judge(frames)}


def alter(
    frames: list[Frame], kind: str, change: Callable[[Content], object], nth: int = 0
) -> None:
    """Change every account of the `nth` message of a type."""
    wanted: object = None
    seen: list[object] = []
    for frame in frames:
        if frame.sent or frame.content["type"] != kind:
            continue
        content = frame.content
        thing = content.get("duelId") or content.get("duel", {}).get("duelId") or ""
        inner = content.get("duel") or content.get("tournament") or content.get("lobby") or content
        key = (thing, inner.get("version"))
        if key not in seen:
            seen.append(key)
            wanted = key if len(seen) == nth + 1 else wanted
        if key == wanted:
            change(content)


def _welcome(player: str) -> Content:
    return {
        "type": "welcome",
        "protocol": 1,
        "serverTime": 1_000_000,
        "token": f"token-of-{player}",
        "profile": {**_player(player), "rating": RATINGS[player], "games": 0},
        "duels": [],
    }


def _player(player: str) -> Content:
    return {"playerId": player, "nickname": f"Player {player}"}


def _lobby(players: tuple[str, ...], version: int) -> Content:
    return {
        "lobbyId": "l1",
        "version": version,
        "language": "en",
        "rating": 1000,
        "seats": 8,
        "players": [_player(player) for player in players],
    }


def _words() -> Iterator[str]:
    """Words without a z, of changing length, none twice."""
    for number in range(100):
        letters = f"{chr(97 + number // 20)}{chr(97 + number % 20)}"
        yield letters + "ouie"[: 2 + number % 3]
