// The program of a pool thread (threads/pool.ts).

import { serveThread } from "#server/threads/serve.ts";
import { threadTasks } from "./thread-tasks.ts";

serveThread(threadTasks);
