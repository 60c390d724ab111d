"""The signed tokens that name players.

Only the authorizer and `hello` handle them: no other function imports the library, which is
imported when first needed.
"""

from datetime import UTC, datetime, timedelta
from typing import Protocol

from wordle_tournament.rules.ids import PlayerId
from wordle_tournament.rules.immutable import immutable

LIFETIME = timedelta(days=180)

_ALGORITHM = "HS256"
_CLOCK_SKEW = timedelta(minutes=1)
_LONGEST = 1024
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class BadToken(Exception):  # noqa: N818 - an answer to whoever shows it, not a fault of ours
    """A token that names nobody: forged, damaged, expired or not ours."""


@immutable
class Identity:
    """Whom a token names, and since when, in whole seconds."""

    player: PlayerId
    issued_at: datetime


class KeyRing(Protocol):
    """Keys by their id, one of which signs."""

    def current(self) -> tuple[str, str]:
        """Give the id of the key to sign with, and the key."""

    def find(self, key_id: str) -> str | None:
        """Give a key by its id, or None."""


class JwtTokens:
    """JSON Web Tokens, signed with HMAC-SHA256 and a key that their header names."""

    def __init__(self, keys: KeyRing) -> None:
        """Sign with the current key, and trust all of the ring."""
        self._keys = keys

    def mint(self, player: PlayerId, issued_at: datetime) -> str:
        """Sign a token for a player, good for LIFETIME.

        The same player, second and key give the same token.
        """
        import jwt

        key_id, key = self._keys.current()
        issued = (issued_at - _EPOCH) // timedelta(seconds=1)
        claims = {"sub": player, "iat": issued, "exp": issued + LIFETIME // timedelta(seconds=1)}
        return jwt.encode(claims, key, algorithm=_ALGORITHM, headers={"kid": key_id})

    def read(self, token: str) -> Identity:
        """Tell whom a token names; raises BadToken, which never repeats anything of the token."""
        import jwt

        if len(token) > _LONGEST:
            raise BadToken("too long")
        try:
            key = self._keys.find(_key_id(jwt.get_unverified_header(token)))
            if key is None:
                raise BadToken("of an unknown key")
            return _identity(
                jwt.decode(
                    token,
                    key,
                    algorithms=[_ALGORITHM],
                    options={"require": ["sub", "iat", "exp"]},
                    leeway=_CLOCK_SKEW,
                )
            )
        except jwt.ExpiredSignatureError:
            raise BadToken("expired") from None
        except jwt.ImmatureSignatureError:
            raise BadToken("of the future") from None
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise BadToken("forged or damaged") from None


def _key_id(header: dict[str, object]) -> str:
    key_id = header.get("kid")
    if not isinstance(key_id, str):
        raise BadToken("without a key")
    return key_id


def _identity(claims: dict[str, object]) -> Identity:
    player, issued = claims["sub"], claims["iat"]
    if not isinstance(player, str) or not player or type(issued) is not int or issued < 0:
        raise BadToken("without a player or a time")
    return Identity(PlayerId(player), _EPOCH + timedelta(seconds=issued))
