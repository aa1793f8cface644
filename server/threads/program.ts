// A thread of the pool (threads/pool.ts).
import { serveThread } from "./serve.ts";
import { work } from "./work.ts";

serveThread(work);
