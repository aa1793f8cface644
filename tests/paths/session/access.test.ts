import { walkTests } from "#tests/paths/harness-walk.ts";
import { accessWalk } from "./access.ts";

walkTests(accessWalk);
