import { walkTests } from "#tests/paths/harness-walk.ts";
import { filtersWalk } from "./filters.ts";

walkTests(filtersWalk);
