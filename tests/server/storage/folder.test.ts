import { openStorage } from "#server/storage/open.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { storageSuite } from "./suite.ts";

storageSuite("in a folder", async () => openStorage(await temporaryFolder()));
