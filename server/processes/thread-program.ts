// The program of a pool thread (threads/pool.ts).

import { serveThread } from "#server/threads/serve.ts";
import { threadWork } from "./thread-work.ts";

serveThread(threadWork);
