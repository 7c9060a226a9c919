from .application import create_app as create_app
from .assistants import make_assistant_server as make_assistant_server
from .requests.context import WebContext as WebContext
from .requests.passwords import hash_password as hash_password
from .server import WebServer as WebServer
from .server import bind_address as bind_address
from .static_copy import write_static_copy as write_static_copy
