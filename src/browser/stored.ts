import { type GenericSchema, parseJson, pipe, safeParse, string } from "valibot";
import { type PageStorage, storage as pageStorage } from "./storage.ts";

/** The value that JSON text holds; null: there is no text, or it holds something else. */
export function parsed<Value>(schema: GenericSchema<unknown, Value>, text: unknown): Value | null {
  const result = safeParse(pipe(string(), parseJson(), schema), text);
  return result.success ? result.output : null;
}

/** A value that the browser's storage holds as JSON. */
export function stored<Value>(key: string, schema: GenericSchema<unknown, Value>, storage: PageStorage = pageStorage) {
  return {
    /** null: there is none. */
    read: (): Value | null => parsed(schema, storage.read(key)),
    /** null: there is to be none. @returns false when the storage is full or disabled */
    keep(value: Value | null): boolean {
      if (value !== null) return storage.write(key, JSON.stringify(value));
      storage.remove(key);
      return true;
    },
  };
}
