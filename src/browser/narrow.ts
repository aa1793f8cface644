import { useNavigate } from "@tanstack/react-router";

interface Narrowing<Query> {
  /** The list's page. */
  to: "/admin" | "/admin/blog" | "/blog/admin";
  /** The query of an address's search parameters. */
  read(address: Readonly<Record<string, unknown>>): Query;
  write(query: Query): Readonly<Record<string, unknown>>;
}

/**
 * Changes the query of a list by its address, and resets it to the first page. Two quick changes both count, even if
 * the list has not followed the first one yet.
 */
export function useNarrow<Query extends { page: number }>({ to, read, write }: Narrowing<Query>) {
  const navigate = useNavigate();
  return (change: Partial<Query>) =>
    void navigate({
      to,
      search: (address) => write({ ...read(address), page: 1, ...change }),
      replace: true,
      resetScroll: false,
    });
}
