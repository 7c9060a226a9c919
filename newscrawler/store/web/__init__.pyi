from .accounts import Account as Account
from .accounts import Accounts as Accounts
from .accounts import Audit as Audit
from .accounts import AuditEntry as AuditEntry
from .accounts import Credentials as Credentials
from .accounts import Role as Role
from .accounts import Token as Token
from .accounts import TokenScope as TokenScope
