import { walkTests } from "./harness-walk.ts";
import { subscriptionWalk } from "./subscription.ts";

walkTests(subscriptionWalk);
