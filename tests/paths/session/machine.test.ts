import { walkTests } from "#tests/paths/harness-walk.ts";
import { sessionWalk } from "./machine.ts";

walkTests(sessionWalk);
