import { walkTests } from "#tests/paths/harness-walk.ts";
import { subscriptionWalk } from "./machine.ts";

walkTests(subscriptionWalk);
