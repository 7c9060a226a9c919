from .application import create_app as create_app
from .requests.context import WebContext as WebContext
from .requests.passwords import hash_password as hash_password
from .server import WebServer as WebServer
from .server import bind_address as bind_address
from .static_copy import write_static_copy as write_static_copy
