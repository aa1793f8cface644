import type { ReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { type MetadataValue, S3Store } from "@tus/s3-store";
import { StreamSplitter } from "@tus/utils";
import { isMissing } from "./bucket-errors.ts";

type Part = Awaited<ReturnType<S3Store["retrieveParts"]>>[number];

/** Prefix of the keys of rests: bytes that are too few for a part. */
export const restPrefix = (key: string) => `${key}.part-`;

const { _newChunk: newChunk } = StreamSplitter.prototype;

/**
 * Works around a bug in @tus/utils 0.7: a splitter destroyed while it opened its next file left the file open, and kept
 * a slot for parts. Node ends a process when an open file is garbage-collected.
 */
StreamSplitter.prototype._newChunk = async function () {
  await newChunk.call(this);
  if (this.destroyed) await this._handleError();
};

/**
 * A tus store that never loses confirmed bytes, even if its process is killed. The original deletes the last request's
 * rest before the part made of it is stored, and counts parts behind a missing one. Here, each rest is named by the
 * number of the part that it begins: it stays until that part is stored, and is ignored from then on.
 */
export class DurableS3Store extends S3Store {
  /** By file: number of the next part in the current request. */
  readonly #next = new Map<string, number>();

  /**
   * Returns only the parts before the first gap. Parts are stored in parallel, and an earlier one may have been lost
   * with its process.
   */
  protected override async retrieveParts(id: string, marker?: string): Promise<Part[]> {
    const parts = await super.retrieveParts(id, marker);
    return marker === undefined ? parts.filter(({ PartNumber }, index) => PartNumber === index + 1) : parts;
  }

  protected override async uploadParts(
    metadata: MetadataValue,
    source: Readable,
    firstNumber: number,
    offset: number,
  ): Promise<number> {
    const { id } = metadata.file;
    this.#next.set(id, firstNumber);
    try {
      const bytes = await super.uploadParts(metadata, source, firstNumber, offset);
      // The rest at the start of this request is now in a part.
      if (this.#next.get(id) !== firstNumber) await this.#removeRest(id, firstNumber);
      return bytes;
    } finally {
      this.#next.delete(id);
    }
  }

  protected override uploadPart(
    metadata: MetadataValue,
    source: ReadStream | Readable | Buffer,
    number: number,
  ): Promise<string> {
    // Parts begin in order, so the rest comes after the last one.
    this.#next.set(metadata.file.id, number + 1);
    return super.uploadPart(metadata, source, number);
  }

  protected override async uploadIncompletePart(id: string, source: ReadStream | Readable): Promise<string> {
    const stored = await this.client.putObject({ ...this.#rest(id, this.#next.get(id) ?? 1), Body: source });
    return stored.ETag ?? "";
  }

  protected override async getIncompletePart(id: string): Promise<Readable | undefined> {
    const found = await this.client.getObject(await this.#currentRest(id)).catch(orMissing);
    const body = found?.Body;
    // In Node, the body is a stream.
    return body !== undefined && "pipe" in body ? body : undefined;
  }

  protected override async getIncompletePartSize(id: string): Promise<number | undefined> {
    return (await this.client.headObject(await this.#currentRest(id)).catch(orMissing))?.ContentLength;
  }

  /** Does nothing: the rest is deleted only after its part is stored. */
  protected override async deleteIncompletePart(): Promise<void> {}

  async #currentRest(id: string) {
    return this.#rest(id, (await this.retrieveParts(id)).length + 1);
  }

  #rest(id: string, number: number) {
    return { Bucket: this.bucket, Key: `${restPrefix(id)}${number}` };
  }

  /** A rest that can't be removed now is removed with the file's other objects. */
  async #removeRest(id: string, number: number): Promise<void> {
    await this.client.deleteObject(this.#rest(id, number)).catch(() => undefined);
  }
}

function orMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
