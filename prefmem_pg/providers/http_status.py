"""What an HTTP status of a provider means, as an exception that names the setting to change and quotes no text."""

from dataclasses import dataclass

from prefmem_pg.errors import ConfigurationError, PrefmemError, ProviderError, ProviderUnavailable, Truncated
from prefmem_pg.providers.retry import parse_retry_after


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Whom a call goes to, and by which settings that can be changed."""

    provider: str
    model: str
    key_setting: str
    model_setting: str
    url_setting: str


def error_of(address: Address, status: int, *, retry_after: str | None = None) -> PrefmemError:
    """Return the exception for a status that is no success. The body is left out: providers quote what was sent."""
    who = f"{address.provider}/{address.model}"
    if status in (401, 403):
        return ConfigurationError(f"{address.provider} refused the key ({status}); set {address.key_setting}")
    if status == 402:
        return ConfigurationError(f"{address.provider} wants to be paid first ({status}): look at your account there")
    if status in (404, 410):
        return ConfigurationError(
            f"{who} is not there ({status}); set {address.model_setting},"
            f" or {address.url_setting} if the address is wrong"
        )
    if status in (405, 501) or 300 <= status < 400:
        return ConfigurationError(
            f"{address.provider} does not answer like its API ({status}); set {address.url_setting}"
        )
    if status == 413:
        return Truncated(f"{who}: the request was too long ({status})")
    if status in (408, 409, 425, 429) or status >= 500:
        return ProviderUnavailable(f"{who}: status {status}", retry_after_seconds=parse_retry_after(retry_after))
    # Not ProviderRefused: the request was at fault, and no model has looked at it.
    return ProviderError(f"{who} rejected the request ({status})")


def check_key(key: str | None, setting: str) -> None:
    """Raise ConfigurationError for a key that no header can carry: the client's own error would quote it."""
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise ConfigurationError(f"{setting} holds a character that no key has; set it anew")
