import { accessWalk } from "./access.ts";
import { walkTests } from "./harness-walk.ts";

walkTests(accessWalk);
