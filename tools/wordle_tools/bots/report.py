"""What is told about tournaments and groups, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from wordle_tools.client.messages import Group, Tournament, TournamentPlayer


def standings(tournament: Tournament) -> Iterator[str]:
    """Tell places, nicknames, rating changes and new ratings of a tournament that has ended."""
    winners = [player for player in tournament.players if player.place == 1]
    rounds = "1 round" if tournament.round == 1 else f"{tournament.round} rounds"
    shared = "" if len(winners) == 1 else ", without a sole winner"
    yield f"tournament {tournament.tournament_id}: over after {rounds}{shared}"
    width = max(len(player.nickname) for player in tournament.players)
    for player in by_place(tournament):
        change = player.rating_change or 0
        yield (
            f"  {player.place or '-':>2}. {player.nickname:<{width}}"
            f"  {change:+4d}  {player.rating + change:5d}"
        )


def by_place(tournament: Tournament) -> list[TournamentPlayer]:
    """Sort the players: the best place first, who is still in before all."""
    return sorted(tournament.players, key=lambda player: (player.place or 0, -player.lives))


def invitation(group: Group) -> str:
    """Tell how others come into a group."""
    return f"group {group.code} ({group.language}): {group.invite_url}"
