import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import lending.JsonObject;

/** Runs samples in Java: each line of the input is the code of one in base64. What a sample prints is its answer. */
class RunSamples {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    Path classes = Path.of(arguments[0]);
    // One for all samples, because opening the package takes longer than compiling a sample.
    try (StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      int count = 0;
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        count += 1;
        String code = new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
        answers.println(answer("Sample" + count, code, files, classes));
      }
    }
  }

  private static String answer(String name, String code, StandardJavaFileManager files, Path classes) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try {
      compile(name, code, files, classes);
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
        loader.loadClass(name).getMethod("run").invoke(null);
      }
      return "{\"answer\":" + printed.toString(StandardCharsets.UTF_8).strip() + "}";
    } catch (Exception failure) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      return new JsonObject(Map.of("error", trace.toString())).toJson();
    }
  }

  /** Imports stand before the class, all else in a method. */
  private static void compile(String name, String code, StandardJavaFileManager files, Path classes) {
    Map<Boolean, String> parts = code.lines()
        .collect(Collectors.partitioningBy(line -> line.startsWith("import "), Collectors.joining("\n")));
    String source = parts.get(true) + "\npublic class " + name + " { public static void run() {\n" + parts.get(false) + "\n}}\n";
    JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
    StringWriter messages = new StringWriter();
    List<String> options = List.of(
        "-d", classes.toString(), "-classpath", System.getProperty("java.class.path"), "-proc:none", "-Xlint:all", "-Werror");
    if (!COMPILER.getTask(messages, files, null, options, null, List.of(file)).call()) {
      throw new IllegalArgumentException(messages.toString());
    }
  }
}
