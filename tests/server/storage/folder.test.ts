import { openStorage } from "#server/common/open-storage.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { storageSuite } from "./suite.ts";

storageSuite("in a folder", async () => openStorage(await temporaryFolder()));
