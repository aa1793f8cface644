import { walkTests } from "./harness-walk.ts";
import { transcriptionsWalk } from "./transcriptions.ts";

walkTests(transcriptionsWalk);
