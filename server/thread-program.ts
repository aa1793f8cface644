// The program of a pool thread (threads/pool.ts).
import { threadWork } from "./thread-work.ts";
import { serveThread } from "./threads/serve.ts";

serveThread(threadWork);
