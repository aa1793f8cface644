import { walkTests } from "#tests/paths/harness-walk.ts";
import { selectionWalk } from "./selection.ts";

walkTests(selectionWalk);
