import * as v from "valibot";
import { ExportContent, SharedAnswer, SharedFormat, SharedOpening } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

/** The query of an export. `lng`: of labels such as "Speaker 1". */
export const SharedExportQuery = v.object({
  format: SharedFormat,
  content: v.optional(ExportContent, "both"),
  lng: v.optional(v.pipe(v.string(), v.maxLength(35)), "en"),
});

const everybody = { tag: "Shared links", scope: null } as const;

/** What whoever has a link may ask. */
export const sharingOperations = {
  open: {
    ...everybody,
    id: "openSharedLink",
    summary: "What a link shows",
    description:
      "The end of a link's address is `<link>.<secret>`. `locked` means that a `passphrase` is asked for. The answer's cookie opens audio and export. A link that was revoked, has ended or never was answers 404, without a difference.",
    body: SharedOpening,
    answer: { status: 200, json: SharedAnswer },
  },
  audio: {
    ...everybody,
    id: "getSharedAudio",
    summary: "The sound of a link that has one",
    description: "Takes `Range`. Needs the cookie of an opened link.",
    answer: { status: 200, type: "*/*" },
  },
  export: {
    ...everybody,
    id: "exportShared",
    summary: "What a link shows as a file, where its owner allows that",
    description: "Needs the cookie of an opened link.",
    query: SharedExportQuery,
    answer: { status: 200, type: "*/*" },
  },
} as const satisfies Record<string, Operation>;
