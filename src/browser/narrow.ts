import { useNavigate } from "@tanstack/react-router";

interface Narrowing<Query> {
  /** The list's page. */
  to: "/admin" | "/admin/blog" | "/blog/admin";
  /** The query of an address's search parameters. */
  read(address: Readonly<Record<string, unknown>>): Query;
  write(query: Query): Readonly<Record<string, unknown>>;
}

/**
 * Changes what a list shows, from its first page on, by the address that the list follows. It may not have followed yet: of two
 * changes that come quickly, both count.
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
