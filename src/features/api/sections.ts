import type { ApiDocument, ApiOperation } from "#src/api/openapi.ts";

/** An API call, or a message that the server sends. */
export interface Entry extends ApiOperation {
  /** The fragment of its address on the page. */
  anchor: string;
  /** The id of its texts. */
  id: string;
  /** "GET" */
  method: string;
  /** "/api/v1/…/{id}"; for a message, its event. */
  path: string;
  /** The scopes that a token needs; [] for a public call. */
  scopes: readonly string[];
}

export interface Section {
  /** The id of its title's text. */
  id: string;
  title: string;
  anchor: string;
  entries: readonly Entry[];
}

/** The document's calls, grouped by tag in the document's order. */
export const callsOf = ({ paths }: ApiDocument): Section[] => sectionsOf(paths, "");

/** The messages that the server sends. */
export const messagesOf = ({ webhooks }: ApiDocument): Section[] => sectionsOf(webhooks, "message-");

function sectionsOf(paths: ApiDocument["paths"], prefix: string): Section[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => {
      const anchor = prefix + (operation.operationId ?? slugOf(`${method} ${path}`));
      const scopes = operation.security.flatMap((schemes) => Object.values(schemes).flat());
      const id = operation.operationId ?? "webhook";
      return { ...operation, anchor, id, method: method.toUpperCase(), path, scopes };
    }),
  );
  const byTag = Map.groupBy(all, ({ tags: [tag = ""] }) => tag);
  return [...byTag].map(([title, entries]) => ({ id: slugOf(title), title, anchor: prefix + slugOf(title), entries }));
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/**
 * The curl command for a call.
 * @param base the API's origin
 */
export function curlOf({ method, path, parameters, requestBody, scopes }: Entry, base: string): string {
  const query = parameters.filter((one) => one.in === "query" && one.required).map(({ name }) => `${name}={${name}}`);
  const url = `${base}${path}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const [type] = Object.keys(requestBody?.content ?? {});
  const lines = [
    method === "GET" ? "curl" : `curl -X ${method}`,
    ...(scopes.length > 0 ? ['-H "Authorization: Bearer $PARLANCE_TOKEN"'] : []),
    ...parameters.filter((one) => one.in === "header").map(({ name }) => `-H "${name}: …"`),
    ...bodyOf(type),
    `"${url}"`,
  ];
  return lines.join(" \\\n  ");
}

function bodyOf(type: string | undefined): string[] {
  if (type === undefined) return [];
  if (type === "multipart/form-data") return ['-F "file=@talk.wav"'];
  return [`-H "Content-Type: ${type}"`, type === "application/json" ? "-d @body.json" : "--data-binary @file"];
}
