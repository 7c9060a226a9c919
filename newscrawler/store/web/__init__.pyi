from .accounts import Account as Account
from .accounts import Accounts as Accounts
from .accounts import Role as Role
from .audit import Audit as Audit
from .audit import AuditEntry as AuditEntry
from .credentials import Credentials as Credentials
from .credentials import Token as Token
from .credentials import TokenScope as TokenScope
