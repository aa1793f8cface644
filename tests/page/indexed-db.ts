import {
  IDBCursor,
  IDBCursorWithValue,
  IDBDatabase,
  IDBFactory,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBOpenDBRequest,
  IDBRequest,
  IDBTransaction,
  IDBVersionChangeEvent,
} from "fake-indexeddb";
import { vi } from "vitest";

// An IndexedDB for the file that imports this first, with nothing in it (harness-each.ts takes it away after its tests).
// "fake-indexeddb/auto" makes one for the process, which goes on to the next file.

const globals = {
  ...{ indexedDB: new IDBFactory(), IDBCursor, IDBCursorWithValue, IDBDatabase, IDBFactory, IDBIndex, IDBKeyRange },
  ...{ IDBObjectStore, IDBOpenDBRequest, IDBRequest, IDBTransaction, IDBVersionChangeEvent },
};
for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
