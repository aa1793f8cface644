import type { TokenScope } from "#contract/index.ts";

/** The key of a scope's name in the locale files, where a colon would separate namespaces. */
export const scopeKey = (scope: TokenScope): string => scope.replace(":", "-");
