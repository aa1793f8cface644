"""A real server that speaks S3, for tests: OpenStack Swift with its s3api (Debian's python3-swift), all of it in one process.

Swift checks signatures (SigV4, also presigned addresses), ranges, multipart uploads, copies and listings as its operators know them;
the parts of it that talk to each other do so over loopback, as they do on a hundred machines.

usage: s3-server.py <folder> <port> <access key> <secret key>; the access key is <account>:<user>, and the folder
keeps everything, so that it goes on after a kill.
Prints "ready" once it answers. Ends when its standard input does: with whoever has started it.
"""

import os
import signal
import sys
import textwrap
from array import array

import eventlet

eventlet.monkey_patch()

from eventlet import listen, wsgi  # noqa: E402
from swift.common import constraints, storage_policy, utils  # noqa: E402
from swift.common.ring import RingData  # noqa: E402

folder, port, access_key, secret_key = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
account, user = access_key.split(":")
os.makedirs(os.path.join(folder, "node", "sda"), exist_ok=True)

swift_conf = os.path.join(folder, "swift.conf")
with open(swift_conf, "w") as file:
    file.write(
        textwrap.dedent(
            """
            [swift-hash]
            swift_hash_path_suffix = parlance
            swift_hash_path_prefix = parlance
            [storage-policy:0]
            name = Policy-0
            default = yes
            """
        )
    )
utils.SWIFT_CONF_FILE = swift_conf
constraints.SWIFT_CONF_FILE = swift_conf
storage_policy.SWIFT_CONF_FILE = swift_conf
constraints.reload_constraints()
storage_policy.reload_storage_policies()
utils.validate_hash_conf()


class Memory:
    """In place of memcached: one process needs no other to remember for it."""

    def __init__(self):
        self.values = {}

    def get(self, key, raise_on_error=False):
        return self.values.get(key)

    def set(self, key, value, serialize=True, time=0, min_compress_len=0, raise_on_error=False):
        self.values[key] = value
        return True

    def incr(self, key, delta=1, time=0):
        self.values[key] = max(0, self.values.get(key, 0) + delta)
        return self.values[key]

    def decr(self, key, delta=1, time=0):
        return self.incr(key, -delta, time)

    def delete(self, key, server_key=None):
        self.values.pop(key, None)
        return True

    def set_multi(self, mapping, *_args, **_rest):
        self.values.update(mapping)

    def get_multi(self, keys, *_args):
        return [self.values.get(key) for key in keys]


memory = Memory()


def memory_factory(_global_conf, **_local_conf):
    def wrap(app):
        def call(env, start_response):
            env["swift.cache"] = memory
            return app(env, start_response)

        return call

    return wrap


# The proxy's configuration names it.
sys.modules["s3_server"] = sys.modules[__name__]


def own_socket():
    return listen(("127.0.0.1", 0))


def ring(name, at):
    devices = [{"id": 0, "zone": 0, "region": 1, "device": "sda", "ip": "127.0.0.1", "port": at, "weight": 1.0}]
    for device in devices:
        device.update(replication_ip="127.0.0.1", replication_port=at, meta="")
    RingData([array("H", [0, 0])], devices, 31).save(os.path.join(folder, name + ".ring.gz"))


sockets = {name: own_socket() for name in ("account", "container", "object")}
for name, own in sockets.items():
    ring(name, own.getsockname()[1])

proxy_conf = os.path.join(folder, "proxy-server.conf")
with open(proxy_conf, "w") as file:
    file.write(
        textwrap.dedent(
            f"""
            [DEFAULT]
            swift_dir = {folder}
            bind_ip = 127.0.0.1
            log_level = ERROR
            [pipeline:main]
            pipeline = catch_errors gatekeeper memory bulk s3api tempauth copy slo dlo proxy-server
            [app:proxy-server]
            use = egg:swift#proxy
            allow_account_management = true
            account_autocreate = true
            conn_timeout = 5
            node_timeout = 30
            [filter:catch_errors]
            use = egg:swift#catch_errors
            [filter:gatekeeper]
            use = egg:swift#gatekeeper
            [filter:memory]
            paste.filter_factory = s3_server:memory_factory
            [filter:bulk]
            use = egg:swift#bulk
            [filter:s3api]
            use = egg:swift#s3api
            location = us-east-1
            max_upload_part_num = 10000
            max_multi_delete_objects = 1000
            cors_preflight_allow_origin = *
            [filter:tempauth]
            use = egg:swift#tempauth
            user_{account}_{user} = {secret_key} .admin
            [filter:copy]
            use = egg:swift#copy
            [filter:slo]
            use = egg:swift#slo
            max_manifest_segments = 10000
            [filter:dlo]
            use = egg:swift#dlo
            """
        )
    )


def serve(own, app):
    eventlet.spawn(wsgi.server, own, app, utils.NullLogger(), log_output=False, socket_timeout=120)


from swift.account.server import AccountController  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402
from swift.container.server import ContainerController  # noqa: E402
from swift.obj.server import ObjectController  # noqa: E402

node = {
    "devices": os.path.join(folder, "node"),
    "swift_dir": folder,
    "mount_check": "false",
    "fallocate_reserve": "0",
    "allowed_sync_hosts": "127.0.0.1",
    "log_level": "ERROR",
}
logger = utils.get_logger(node, "s3", log_to_console=True, log_route="s3")
controllers = {"account": AccountController, "container": ContainerController, "object": ObjectController}
for name, controller in controllers.items():
    serve(sockets[name], controller(node, logger))

proxy = loadapp(proxy_conf, global_conf={"log_level": "ERROR"})
outside = listen(("127.0.0.1", port), backlog=512)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


def end_with_parent():
    while os.read(0, 1):
        pass
    os._exit(0)


eventlet.patcher.original("threading").Thread(target=end_with_parent, daemon=True).start()
print("ready", flush=True)
wsgi.server(outside, proxy, utils.NullLogger(), protocol=SwiftHttpProtocol, log_output=False, socket_timeout=120, max_size=512)
