"""What must agree between the things that are stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from wordle_tools.audit.books import Books, Item
from wordle_tools.referee.oracle import rating_change

FIRST_RATING = 1000
SEATS = 8

# A little less than tournaments and players are kept, so that what is about to go is not missed.
_TOURNAMENTS_KEPT = timedelta(days=89)
_PLAYERS_KEPT = timedelta(days=399)


@dataclass(frozen=True, slots=True, order=True)
class Deviation:
    """What is wrong with one thing: `subject` names it, `rule` tells which promise is broken."""

    subject: str
    rule: str
    found: str

    @property
    def key(self) -> tuple[str, str]:
        """What stays the same when the audit is repeated while games go on."""
        return self.subject, self.rule


def audit(books: Books) -> list[Deviation]:
    """Name everything that does not agree."""
    index = _Index(books)
    checks = (_journals, _orphans, _tournaments, _places, _seats, _lobbies, _groups, _erased)
    return sorted(deviation for check in checks for deviation in check(index))


class _Index:
    """The books, opened at the right page."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.players: dict[str, Item] = {one["id"]: one for one in books.players}
        self.tournaments: dict[str, Item] = {one["id"]: one for one in books.tournaments}
        self.groups: dict[str, Item] = {one["code"]: one for one in books.groups}
        self.lobbies: dict[str, list[str]] = {
            lobby["id"]: [player for party in lobby["parties"] for player in party["players"]]
            for room in books.rooms
            for lobby in room["lobbies"]
        }
        self.results: dict[str, dict[str, Item]] = defaultdict(dict)
        for result in books.results:
            self.results[result["player"]][result["tournament"]] = result

    def age(self, result: Item) -> timedelta:
        """How long ago a place was fixed."""
        placed_at = datetime.fromtimestamp(int(result["placed_at"]) / 1000, UTC)
        return self.books.read_at - placed_at


def _journals(index: _Index) -> Iterator[Deviation]:
    """R5.5: the journal's sum plus 1000 is the rating."""
    for player in index.books.players:
        results = index.results[player["id"]].values()
        total = FIRST_RATING + sum(result["change"] for result in results)
        subject = f"player {player['id']}"
        if total != player["rating"]:
            yield Deviation(
                subject, "journal and rating", f"journal {total}, rating {player['rating']}"
            )
        if len(results) != player["games"]:
            yield Deviation(
                subject, "journal and games", f"{len(results)} entries, {player['games']} games"
            )


def _orphans(index: _Index) -> Iterator[Deviation]:
    """A journal outlives its player only by the player's expiry."""
    for player, results in index.results.items():
        if player not in index.players and results:
            youngest = min(map(index.age, results.values()))
            if youngest < _PLAYERS_KEPT:
                yield Deviation(
                    f"player {player}", "journal without a player", f"{len(results)} entries"
                )


def _tournaments(index: _Index) -> Iterator[Deviation]:
    """R1.1, R5.5: eight players; whoever is placed has that place in the journal, once."""
    for tournament in index.books.tournaments:
        subject = f"tournament {tournament['id']}"
        entrants = tournament["entrants"]
        distinct = len({entrant["player"] for entrant in entrants})
        if distinct != SEATS or len(entrants) != SEATS:
            yield Deviation(
                subject, "eight players", f"{len(entrants)} entries of {distinct} players"
            )
        for entrant in entrants:
            yield from _entry(index, tournament, entrant)
    for results in index.results.values():
        for result in results.values():
            yield from _entered(index, result)


def _entry(index: _Index, tournament: Item, entrant: Item) -> Iterator[Deviation]:
    player = index.players.get(entrant["player"])
    if player is None or player.get("erased"):
        return
    subject = f"player {entrant['player']} in tournament {tournament['id']}"
    result = index.results[entrant["player"]].get(tournament["id"])
    if entrant.get("place") is None:
        if result is not None:
            yield Deviation(subject, "no entry before the place", f"place {result['place']}")
    elif result is None:
        yield Deviation(subject, "an entry for every place", f"place {entrant['place']}")
    else:
        told = {name: entrant.get(name) for name in ("place", "change")}
        told["rating"] = entrant.get("rating_after")
        entered = {name: result[name] for name in told}
        if told != entered:
            yield Deviation(
                subject, "entry and place agree", f"{_plain(entered)} against {_plain(told)}"
            )


def _entered(index: _Index, result: Item) -> Iterator[Deviation]:
    subject = f"player {result['player']} in tournament {result['tournament']}"
    tournament = index.tournaments.get(result["tournament"])
    if tournament is None:
        if index.age(result) < _TOURNAMENTS_KEPT:
            yield Deviation(subject, "a tournament for every entry", "no such tournament")
    elif result["player"] not in {entrant["player"] for entrant in tournament["entrants"]}:
        yield Deviation(subject, "an entrant for every entry", "not among its players")


def _places(index: _Index) -> Iterator[Deviation]:
    """R4.4, R5.3: a place is one more than are better; changes follow from places and ratings."""
    for tournament in index.books.tournaments:
        entrants = tournament["entrants"]
        places = {
            entrant["player"]: int(entrant["place"])
            for entrant in entrants
            if entrant.get("place") is not None
        }
        over = tournament["phase"] == "ended"
        if over != (len(places) == len(entrants)):
            yield Deviation(
                f"tournament {tournament['id']}",
                "over when all are placed",
                f"{tournament['phase']} with {len(places)} placed",
            )
        ratings = {entrant["player"]: int(entrant["rating"]) for entrant in entrants}
        for entrant in entrants:
            if entrant["player"] in places:
                yield from _place(tournament, entrant, places, ratings)


def _place(
    tournament: Item, entrant: Item, places: Mapping[str, int], ratings: Mapping[str, int]
) -> Iterator[Deviation]:
    subject = f"player {entrant['player']} in tournament {tournament['id']}"
    place = places[entrant["player"]]
    better = sum(places.get(other, 0) < place for other in ratings)
    if place != better + 1:
        yield Deviation(subject, "a legal place", f"place {place} with {better} better")
    expected = rating_change(entrant["player"], ratings, places)
    if entrant.get("change") != expected:
        yield Deviation(
            subject,
            "change of rating by place",
            f"{_plain(entrant.get('change'))}, should be {expected}",
        )


def _seats(index: _Index) -> Iterator[Deviation]:
    """R6.4: whoever is in a lobby or tournament has that seat, and the other way round."""
    for player in index.books.players:
        subject = f"player {player['id']}"
        lobby, tournament = player.get("lobby"), player.get("tournament")
        if lobby is not None and player["id"] not in index.lobbies.get(lobby, ()):
            yield Deviation(subject, "a seat in a lobby", f"not in lobby {lobby}")
        if lobby is not None and tournament is not None:
            yield Deviation(subject, "one seat", f"lobby {lobby} and tournament {tournament}")
        if tournament is not None:
            yield from _tournament_seat(index, player, tournament)
    for tournament in index.books.tournaments:
        for entrant in tournament["entrants"]:
            seated = index.players.get(entrant["player"], {})
            active = entrant.get("place") is None and not entrant["left"]
            if active and seated.get("tournament") != tournament["id"]:
                yield Deviation(
                    f"player {entrant['player']} in tournament {tournament['id']}",
                    "a seat for everybody who is in",
                    f"seat in {seated.get('tournament') or seated.get('lobby') or 'nothing'}",
                )


def _tournament_seat(index: _Index, player: Item, tournament_id: str) -> Iterator[Deviation]:
    subject = f"player {player['id']}"
    tournament = index.tournaments.get(tournament_id)
    if tournament is None:
        if not player["placed"]:
            yield Deviation(subject, "a seat in a tournament", f"{tournament_id} does not exist")
        return
    entrants = {entrant["player"]: entrant for entrant in tournament["entrants"]}
    entrant = entrants.get(player["id"])
    if entrant is None:
        yield Deviation(subject, "a seat in a tournament", f"not in {tournament_id}")
    elif player["placed"] != (entrant.get("place") is not None):
        yield Deviation(subject, "placed when the place is fixed", f"in {tournament_id}")


def _lobbies(index: _Index) -> Iterator[Deviation]:
    """R6.4: a lobby has free seats, and nobody in it sits elsewhere."""
    for lobby, players in index.lobbies.items():
        subject = f"lobby {lobby}"
        if not 0 < len(players) < SEATS:
            yield Deviation(subject, "one to seven players", f"{len(players)} players")
        for player, times in Counter(players).items():
            if times > 1:
                yield Deviation(subject, "a seat for each", f"{times} seats of player {player}")
            if index.players.get(player, {}).get("lobby") != lobby:
                yield Deviation(subject, "its players sit in it", f"player {player} does not")


def _groups(index: _Index) -> Iterator[Deviation]:
    """R8: members and groups know each other; a leader leads."""
    for code, group in index.groups.items():
        subject, members = f"group {code}", group["members"]
        if group["leader"] not in members:
            yield Deviation(subject, "led by a member", f"leader {group['leader']}")
        if len(set(members)) != len(members) or not 0 < len(members) <= SEATS:
            yield Deviation(subject, "one to eight members", ", ".join(members))
        for member in members:
            if index.players.get(member, {}).get("group") != code:
                yield Deviation(subject, "its members are in it", f"player {member} is not")
    for player in index.books.players:
        own = index.groups.get(player.get("group", ""))
        if own is not None and player["id"] not in own["members"]:
            yield Deviation(
                f"player {player['id']}", "a member of their group", f"not in {own['code']}"
            )


def _erased(index: _Index) -> Iterator[Deviation]:
    """Of an erased player nothing is left but the id."""
    nicknames = {player["nickname"] for player in index.books.players if player.get("erased")}
    for player in index.books.players:
        if not player.get("erased"):
            continue
        subject = f"player {player['id']}"
        kept = {"id", "nickname", "rating", "games", "losses", "erased", "revision", "expires_at"}
        if more := player.keys() - kept:
            yield Deviation(subject, "erased", f"has {', '.join(sorted(more))}")
        if index.results[player["id"]]:
            yield Deviation(subject, "erased", f"{len(index.results[player['id']])} entries")
        for tournament in index.books.tournaments:
            for entrant in tournament["entrants"]:
                if entrant["player"] == player["id"] and entrant["nickname"] not in nicknames:
                    yield Deviation(subject, "erased", f"a name in tournament {tournament['id']}")


def _plain(value: object) -> str:
    """Write values without the type that the SDK gives numbers."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    return str(value)
