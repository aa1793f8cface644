import { Link } from "@tanstack/react-router";
import type { JsonSchema } from "#src/api/openapi.ts";
import styles from "./api.module.css";
import { namesIn, typeText } from "./type-text.ts";

/** A type whose names link to their schemas. */
export function TypeText({ schema }: { schema: JsonSchema }) {
  const names = new Set(namesIn(schema));
  // The parts alternate: text, name, text, and so on.
  const parts = names.size === 0 ? [typeText(schema)] : typeText(schema).split(new RegExp(`\\b(${[...names].join("|")})\\b`));
  return (
    <pre className={`code ${styles.code}`} dir="ltr">
      {parts.map((part, index) => {
        const key = `${index} ${part}`;
        return index % 2 === 1 ? (
          <Link key={key} to="/api" hash={`type-${part}`}>
            {part}
          </Link>
        ) : (
          part
        );
      })}
    </pre>
  );
}
