import { type GenericSchema, parseJson, pipe, safeParse, string } from "valibot";
import { type PageStorage, storage as pageStorage } from "./storage.ts";

/** Parses and validates JSON text; null: no text, or an invalid value. */
export function parsed<Value>(schema: GenericSchema<unknown, Value>, text: unknown): Value | null {
  const result = safeParse(pipe(string(), parseJson(), schema), text);
  return result.success ? result.output : null;
}

/** A value that the browser's storage holds as JSON. */
export function stored<Value>(key: string, schema: GenericSchema<unknown, Value>, storage: PageStorage = pageStorage) {
  return {
    /** null: no value. */
    read: (): Value | null => parsed(schema, storage.read(key)),
    /** Stores the value; null removes it. @returns false when the storage is full or disabled */
    keep(value: Value | null): boolean {
      if (value !== null) return storage.write(key, JSON.stringify(value));
      storage.remove(key);
      return true;
    },
  };
}
