// A separate process that holds Bergamot: a broken model ends this process instead of the server, and WASM memory is
// only freed with its process. Argument: how many models may be loaded at a time.
import { serveRequests } from "#server/threads/serve-requests.ts";
import { BergamotHost } from "./host.ts";
import { BergamotRequest } from "./protocol.ts";

const maxLoaded = Number(process.argv[2] ?? 2);
/** Memory limit (bytes). Memory of unloaded models is reused incompletely: about 10 MB are lost each time. */
const maxMemory = (maxLoaded + 2) * 600 * 1024 ** 2;

const host = await BergamotHost.open(maxLoaded);
serveRequests(BergamotRequest, ({ models, texts }) => host.translate(models, texts), maxMemory);
