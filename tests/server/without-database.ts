/**
 * Tests of the server that open no database, neither themselves nor through imports from tests/. The project
 * `server-postgres` doesn't repeat them (vitest.config.ts; page/layout.test.ts checks their imports).
 */
export const withoutDatabase = [
  "tests/server/admin/disk.test.ts",
  "tests/server/blog-admin/generated-text.test.ts",
  "tests/server/blog/text.test.ts",
  "tests/server/bus/bus.test.ts",
  "tests/server/cluster/locks.test.ts",
  "tests/server/http/event-stream.test.ts",
  "tests/server/http/remote.test.ts",
  "tests/server/threads/pool.test.ts",
  "tests/server/threads/slots.test.ts",
  "tests/server/outbound/address.test.ts",
  "tests/server/outbound/proxies.test.ts",
  "tests/server/outbound/request.test.ts",
  "tests/server/properties/parsers.test.ts",
  "tests/server/properties/schemas.test.ts",
  "tests/server/properties/texts.test.ts",
  "tests/server/threads/service-process.test.ts",
  "tests/server/transcription/retime.test.ts",
  "tests/server/unless-aborted.test.ts",
] as const;
