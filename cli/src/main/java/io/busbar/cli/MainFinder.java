package io.busbar.cli;

import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/**
 * Finds the class of a source file that {@code java} can run: the public one if that has a main
 * method, else the first that has. It looks on while the file is compiled.
 */
final class MainFinder extends AbstractProcessor {
  private @Nullable String found;
  private boolean foundPublic;

  /** The binary name of the class, or null when no class has a main method. */
  @Nullable String found() {
    return found;
  }

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of("*");
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latest();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    for (TypeElement type : ElementFilter.typesIn(round.getRootElements())) {
      boolean isPublic = type.getModifiers().contains(Modifier.PUBLIC);
      if ((found == null || (isPublic && !foundPublic)) && hasMain(type)) {
        found = processingEnv.getElementUtils().getBinaryName(type).toString();
        foundPublic = isPublic;
      }
    }
    return false;
  }

  private boolean hasMain(TypeElement type) {
    return ElementFilter.methodsIn(processingEnv.getElementUtils().getAllMembers(type)).stream()
        .anyMatch(MainFinder::isMain);
  }

  private static boolean isMain(ExecutableElement method) {
    return method.getSimpleName().contentEquals("main")
        && !method.getModifiers().contains(Modifier.PRIVATE)
        && method.getReturnType().getKind() == TypeKind.VOID
        && areArguments(method.getParameters());
  }

  private static boolean areArguments(List<? extends VariableElement> parameters) {
    return parameters.isEmpty()
        || (parameters.size() == 1
            && parameters.getFirst().asType() instanceof ArrayType array
            && array.getComponentType().toString().equals("java.lang.String"));
  }
}
