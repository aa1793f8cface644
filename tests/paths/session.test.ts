import { walkTests } from "./harness-walk.ts";
import { sessionWalk } from "./session.ts";

walkTests(sessionWalk);
