package lending;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Iterate it for all items, {@code pages()} for all pages, or call {@code page()} for the first page alone. */
public final class Listing<P extends JsonObject, I> implements Iterable<I> {
  /** Requests one page. */
  interface PageCall<P> {
    P send(Route<P> route, Map<String, ?> parameters, JsonObject body);
  }

  private final PageCall<P> call;
  private final PagedRoute<P, I> route;
  private final Map<String, ?> parameters;
  private final JsonObject body;

  Listing(PageCall<P> call, PagedRoute<P, I> route, Map<String, ?> parameters, JsonObject body) {
    this.call = call;
    this.route = route;
    this.parameters = parameters;
    this.body = body;
  }

  public P page() {
    return page(null);
  }

  public Iterable<P> pages() {
    return Pages::new;
  }

  public Stream<I> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  @Override
  public Iterator<I> iterator() {
    return new Items(new Pages());
  }

  /** A listing that is requested with a body has its cursor there. */
  private P page(String cursor) {
    if (cursor == null) return call.send(route.route(), parameters, body);
    Map<String, Object> next = new LinkedHashMap<>(body == null ? parameters : body.members());
    next.put("cursor", cursor);
    if (body == null) return call.send(route.route(), next, null);
    return call.send(route.route(), parameters, new JsonObject(next));
  }

  private final class Pages implements Iterator<P> {
    private String cursor;
    private boolean isEnded;

    @Override
    public boolean hasNext() {
      return !isEnded;
    }

    @Override
    public P next() {
      if (isEnded) throw new NoSuchElementException("the listing has no further page");
      P page = page(cursor);
      cursor = (String) page.members().get("cursor");
      isEnded = cursor == null;
      return page;
    }
  }

  private final class Items implements Iterator<I> {
    private final Iterator<P> pages;
    private final Deque<Object> read = new ArrayDeque<>();

    Items(Iterator<P> pages) {
      this.pages = pages;
    }

    @Override
    public boolean hasNext() {
      while (read.isEmpty() && pages.hasNext()) {
        if (pages.next().members().get(route.list()) instanceof List<?> items) read.addAll(items);
      }
      return !read.isEmpty();
    }

    @Override
    public I next() {
      if (!hasNext()) throw new NoSuchElementException("the listing has no further item");
      return route.item().apply(read.poll());
    }
  }
}
