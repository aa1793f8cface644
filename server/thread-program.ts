// A thread of the pool (threads/pool.ts).
import { threadWork } from "./thread-work.ts";
import { serveThread } from "./threads/serve.ts";

serveThread(threadWork);
