// A process of its own that holds Bergamot: a broken model ends it and not the server, and memory that WASM has once taken is only given
// back with its process. Argument: how many models may be loaded at a time.
import { serveRequests } from "#server/threads/serve-requests.ts";
import { BergamotHost } from "./host.ts";
import { BergamotRequest } from "./protocol.ts";

const maxLoaded = Number(process.argv[2] ?? 2);
/** Memory of unloaded models is used again, but not all of it: measured some 10 MB less each time (bytes). */
const maxMemory = (maxLoaded + 2) * 600 * 1024 ** 2;

const host = await BergamotHost.open(maxLoaded);
serveRequests(BergamotRequest, ({ models, texts }) => host.translate(models, texts), maxMemory);
