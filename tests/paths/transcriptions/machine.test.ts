import { walkTests } from "#tests/paths/harness-walk.ts";
import { transcriptionsWalk } from "./machine.ts";

walkTests(transcriptionsWalk);
