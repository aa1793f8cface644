import * as v from "valibot";
import { ExportContent, SharedAnswer, SharedFormat, SharedOpening } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

/** The query of an export. `lng`: the language of labels such as "Speaker 1". */
export const SharedExportQuery = v.object({
  format: SharedFormat,
  content: v.optional(ExportContent, "both"),
  lng: v.optional(v.pipe(v.string(), v.maxLength(35)), "en"),
});

const everybody = { tag: "shared-links", scope: null } as const;

/** Operations for visitors who have a link. */
export const sharingOperations = {
  open: { ...everybody, id: "openSharedLink", body: SharedOpening, json: SharedAnswer },
  audio: { ...everybody, id: "getSharedAudio", type: "*/*" },
  export: { ...everybody, id: "exportShared", query: SharedExportQuery, type: "*/*" },
} as const satisfies Record<string, Operation>;
