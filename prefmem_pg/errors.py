"""The exceptions of prefmem_pg.

PrefmemError                    .retryable = False
├── ConfigurationError          a setting, a role or an installed extra is missing or wrong
├── InvalidInput                (also ValueError): bad message, bad time, bad user id
│   └── InvalidFilter
├── NotFound                    (also LookupError)
├── StoreError                  __cause__ has the driver's error
│   ├── StoreUnavailable        retryable (connection, deadlock, serialization, timeout, no disk)
│   ├── Conflict                a unique or foreign key, or a version number, said no
│   └── SchemaOutOfDate         "database is at 0004, code needs 0006; run: prefmem upgrade"
└── ProviderError
    ├── ProviderUnavailable     retryable (timeout, rate limit, overload, 5xx)
    ├── ProviderRefused         the model declined
    ├── InvalidAnswer           not in the schema
    │   └── Truncated           cut short: the same about less text may succeed
    └── CallWithheld            retryable: nothing was sent, the work waits
        ├── BudgetExceeded      the call would exceed a budget
        └── NotRecorded         replay holds no answer to this request; not retryable
"""


class PrefmemError(Exception):
    """The root: catch it to catch everything that prefmem_pg raises on purpose."""

    retryable = False


class ConfigurationError(PrefmemError):
    """A setting, a role or an installed extra is missing or wrong."""


class InvalidInput(PrefmemError, ValueError):
    """The caller's value cannot be used; the message says which and why."""


class InvalidFilter(InvalidInput):
    """A filter names an unknown field or operator, or an operand of the wrong type."""


class NotFound(PrefmemError, LookupError):
    """Nothing of this user has that id."""


class StoreError(PrefmemError):
    """The database refused; ``__cause__`` is the driver's error."""


class StoreUnavailable(StoreError):
    """The database cannot serve now; the same call may succeed later."""

    retryable = True


class Conflict(StoreError):
    """Something else is already there, or has moved on since it was read."""


class SchemaOutOfDate(StoreError):
    """The database is at another revision than this code."""


class ProviderError(PrefmemError):
    """A model provider did not give a usable answer."""


class ProviderUnavailable(ProviderError):
    """Timeout, rate limit, overload or a server error at the provider.

    ``retry_after_seconds`` is how long the provider asked to wait; None: it did not say.
    """

    retryable = True

    def __init__(self, message: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class ProviderRefused(ProviderError):
    """The model declined to answer."""


class InvalidAnswer(ProviderError):
    """The answer does not fit its schema."""


class Truncated(InvalidAnswer):
    """The answer was cut, or the request was too long: the same question about less text may succeed."""


class CallWithheld(ProviderError):
    """The call was not made, on purpose: nothing was sent or paid, and the work stays as it was for a later call."""

    retryable = True


class BudgetExceeded(CallWithheld):
    """The next call could exceed the budget of the run, the day or the user.

    ``user_id`` is the user whose own budget is spent: others may go on. None: it is everybody's. ``submitted`` is the
    BatchReport of what submit_batches() had handed in before; None from elsewhere.
    """

    def __init__(self, message: str, *, user_id: str | None = None, submitted: object | None = None) -> None:
        super().__init__(message)
        self.user_id = user_id
        self.submitted = submitted


class NotRecorded(CallWithheld):
    """In replay mode there is no stored answer to this very request."""

    retryable = False


def described(error: Exception) -> str:
    """Return the kind of an error and its text, as reports and runs keep it: kinds can be counted without the text."""
    return f"{type(error).__name__}: {error}"
