import { apiBase, createCall, createPlainSend } from "#src/api/http.ts";
import { type ApiDocument, fetchApiDocument } from "#src/api/openapi.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";
import { loadTexts } from "#src/i18n/index.ts";

// Without a token, whoever is signed in: the description is the same for everybody.
const call = createCall(createPlainSend(apiBase, (input, init) => fetch(input, init)));

export type ApiReference = Query<ApiDocument>;

const reference = perVisit((): ApiReference => startQuery((signal) => fetchApiDocument(call, signal)));

/** The description of the API, fetched when /api is opened: the same until the page is left. */
export async function openReference(): Promise<ApiReference> {
  await loadTexts("api");
  return reference.open();
}

export const closeReference = reference.close;
