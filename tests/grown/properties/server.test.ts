// The same properties as in `npm test`, with ten times as many values (vitest.config.ts).
import "#tests/server/properties/merging.test.ts";
import "#tests/server/properties/parsers.test.ts";
import "#tests/server/properties/schemas.test.ts";
import "#tests/server/properties/texts.test.ts";
