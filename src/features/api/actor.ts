import { apiBase, createCall, createPlainSend } from "#src/api/http.ts";
import { type ApiDocument, fetchApiDocument } from "#src/api/openapi.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";
import { loadTexts } from "#src/i18n/index.ts";

// Sent without a token, because the description is the same for all users.
const call = createCall(createPlainSend(apiBase, (input, init) => fetch(input, init)));

export type ApiReference = Query<ApiDocument>;

const reference = perVisit((): ApiReference => startQuery((signal) => fetchApiDocument(call, signal)));

/** Opens /api and fetches the API's description. Returns the same query until the user leaves the page. */
export async function openReference(): Promise<ApiReference> {
  await loadTexts("api");
  return reference.open();
}

export const closeReference = reference.close;
