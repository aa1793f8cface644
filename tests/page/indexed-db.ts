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

// Gives the importing test file an empty IndexedDB (harness-each.ts removes it after the tests). Import it first.
// "fake-indexeddb/auto" would give one to the process, which later files would share.

const globals = {
  ...{ indexedDB: new IDBFactory(), IDBCursor, IDBCursorWithValue, IDBDatabase, IDBFactory, IDBIndex, IDBKeyRange },
  ...{ IDBObjectStore, IDBOpenDBRequest, IDBRequest, IDBTransaction, IDBVersionChangeEvent },
};
for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
